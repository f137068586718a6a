//! The baselines as bots.

use super::agent::PolicyAgent;
use super::baseline::Baseline;
use super::board_network::BoardNetwork;
use super::largest_region::LargestRegion;
use super::max_n_2021::MaxN2021;
use super::policy::Policy;
use crate::weights_option;
use botyard_agent::{Bot, Options};
use botyard_protocol::OptionSpec;

/// `dw-rand`: see [`Baseline::RAND`].
pub fn rand() -> Bot {
    bot("dw-rand", "attacks at random as long as it can; dt.rand of 2021", Baseline::RAND)
}

/// `dw-sdc`: see [`Baseline::SDC`].
pub fn sdc() -> Bot {
    bot("dw-sdc", "attacks with the largest lead in dice; dt.sdc of 2021", Baseline::SDC)
}

/// `dw-ste`: see [`Baseline::STE`].
pub fn ste() -> Bot {
    bot("dw-ste", "attacks what it can best win and hold; dt.ste of 2021", Baseline::STE)
}

/// `dw-stei`: see [`Baseline::STEI`].
pub fn stei() -> Bot {
    let about = "dw-ste, more careful, preferring its largest region; dt.stei of 2021";
    bot("dw-stei", about, Baseline::STEI)
}

/// `dw-sdc-at`: see [`Baseline::SDC_AT`].
pub(crate) fn sdc_at() -> Bot {
    let about = "dw-sdc, which brings dice to its border first; kb.sdc_pre_at of 2021";
    bot("dw-sdc-at", about, Baseline::SDC_AT)
}

/// `dw-stei-at`: see [`Baseline::STEI_AT`].
pub fn stei_at() -> Bot {
    let about = "dw-stei, which brings dice to its border first; kb.stei_at of 2021";
    bot("dw-stei-at", about, Baseline::STEI_AT)
}

/// `dw-stei-dt`: see [`Baseline::STEI_DT`].
pub fn stei_dt() -> Bot {
    let about = "dw-stei, which finally moves dice out of danger; kb.stei_dt of 2021";
    bot("dw-stei-dt", about, Baseline::STEI_DT)
}

/// `dw-stei-adt`: see [`Baseline::STEI_ADT`].
pub fn stei_adt() -> Bot {
    bot("dw-stei-adt", "dw-stei, which does both; kb.stei_adt of 2021", Baseline::STEI_ADT)
}

/// `max-n-2021`: see [`MaxN2021`].
pub fn max_n_2021() -> Bot {
    let about = "Max-N, one attack ahead for every player, by Dole\u{17e}el et al. (2021)";
    let eval = OptionSpec::Text {
        default: "region".into(),
        about: "how leaves are evaluated: region, by the largest region of each player; network, by the \
                network of the report; or a file of weights of such a network"
            .into(),
    };
    Bot::new("max-n-2021", about).with_option("eval", eval).plays_if(|options: &Options| {
        Ok(match options.text("eval") {
            "region" => Box::new(PolicyAgent(MaxN2021::new(LargestRegion))),
            "network" => Box::new(PolicyAgent(MaxN2021::new(BoardNetwork::built_in()))),
            path => {
                let read = weights_option::read(path, "region, network", BoardNetwork::from_bytes);
                Box::new(PolicyAgent(MaxN2021::new(read?)))
            }
        })
    })
}

fn bot<P>(name: &'static str, about: &'static str, policy: P) -> Bot
where
    P: Policy + Clone + Send + Sync + 'static,
{
    Bot::new(name, about).plays_if(move |_options| Ok(Box::new(PolicyAgent(policy.clone()))))
}
