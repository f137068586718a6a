//! The paths of the server.

use super::Limits;
use super::access::{Access, Denied};
use super::bodies::{read, too_large};
use super::counts::Counts;
use super::desk::{Desk, Problem};
use crate::events::{Event, Log};
use crate::wire::{Code, Failed, Failure, HEALTH, Health, SERVICE, Stored, VERSION};
use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::{get, post, put};
use botyard_connections::{Peer, Pool, Proxies, Share, announced};
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Instant;
use tokio::time::timeout;

/// A kilobyte: the unit in which the memory of uploads is counted.
const UNIT: usize = 1 << 10;

/// The most downloads at once. Each has its content in memory.
const DOWNLOADS: usize = 8;

/// The proxies that say where a request comes from.
pub(crate) const PROXIES: Proxies = Proxies::OnThisHost;

/// What all requests share.
pub(super) struct Shared {
    desk: Arc<Desk>,
    access: Access,
    limits: Limits,
    pub counts: Counts,
    log: Log,
    /// The requests that are being received or answered, by token as all of these.
    requests: Pool<String>,
    calls: Pool<String>,
    /// The memory for uploads, in units.
    uploads: Pool<String>,
    downloads: Pool<String>,
}

impl Shared {
    pub(super) fn new(
        desk: Arc<Desk>,
        access: Access,
        limits: Limits,
        counts: Counts,
        log: Log,
    ) -> Shared {
        Shared {
            requests: Pool::new(limits.connections),
            calls: Pool::new(limits.calls),
            // The largest upload fits.
            uploads: Pool::new(limits.uploads_bytes.max(limits.upload_bytes).div_ceil(UNIT)),
            downloads: Pool::new(DOWNLOADS),
            desk,
            access,
            limits,
            counts,
            log,
        }
    }

    /// Runs a call of the queue on a thread of its own, in the share of a token.
    async fn run<T: Send + 'static>(
        &self,
        token: &String,
        work: impl FnOnce(&Desk) -> Result<T, Problem> + Send + 'static,
    ) -> Result<T, Problem> {
        let permit = self.calls.wait(token, 1, self.limits.queued).await;
        let Some(permit) = permit else { return Err(busy("calls").into()) };
        let desk = Arc::clone(&self.desk);
        let call = tokio::task::spawn_blocking(move || {
            // Held as long as the thread runs, even if no one waits for it any more.
            let _permit = permit;
            work(&desk)
        });
        match timeout(self.limits.call, call).await {
            Ok(Ok(answer)) => answer,
            Ok(Err(_)) => {
                Err(Failure::new(Code::Host, "the call failed inside the coordinator").into())
            }
            Err(_) => Err(Failure::new(
                Code::Host,
                format!("the store did not answer in {} s", self.limits.call.as_secs_f64()),
            )
            .into()),
        }
    }
}

fn busy(what: &str) -> Failure {
    let message = format!("the coordinator is busy: too many {what} at once; try again later");
    Failure::new(Code::Busy, message)
}

/// Who calls, and what.
struct Call<'a> {
    shared: &'a Shared,
    name: &'static str,
    peer: IpAddr,
    begun: Instant,
    /// The name of the token.
    token: Option<String>,
    /// Its share of the requests.
    _request: Option<Share<String>>,
}

impl<'a> Call<'a> {
    /// Lets a request in if it has a token.
    fn begin(
        shared: &'a Shared,
        name: &'static str,
        headers: &HeaderMap,
        ConnectInfo(Peer(connected)): ConnectInfo<Peer>,
    ) -> Result<Call<'a>, Box<Response>> {
        let client = PROXIES.client(Some(connected.ip()), headers);
        let peer = client.address.unwrap_or(connected.ip().to_canonical());
        let mut call =
            Call { shared, name, peer, begun: Instant::now(), token: None, _request: None };
        let token = match shared.access.check(headers, peer) {
            Ok(token) => token,
            Err(denied) => return Err(Box::new(call.denied(denied))),
        };
        call._request = shared.requests.take(&token, 1);
        let is_taken = call._request.is_some();
        call.token = Some(token);
        match is_taken {
            true => Ok(call),
            false => Err(Box::new(call.end(Err(busy("requests").into())))),
        }
    }

    /// Returns the name of the token.
    fn caller(&self) -> String {
        self.token.clone().unwrap_or_default()
    }

    fn denied(&self, denied: Denied) -> Response {
        let unauthorized = "a valid token is needed: `authorization: Bearer NAME.SECRET`";
        let (failure, wait) = match denied {
            Denied::Unauthorized(reason) => {
                let event = Event::new("unauthorized").with("reason", reason);
                (self.shared.log)(&self.named(event));
                (Failure::new(Code::Unauthorized, unauthorized), None)
            }
            Denied::TooMany { wait, is_first } => {
                if is_first {
                    (self.shared.log)(&self.named(Event::new("too_many_failures")));
                }
                let message = format!("too many requests without a valid token; {unauthorized}");
                (Failure::new(Code::TooManyFailures, message), Some(wait))
            }
            Denied::Host(error) => {
                let event = Event::new("tokens_failed").with("message", error.to_string());
                (self.shared.log)(&self.named(event));
                let message = "the coordinator cannot read its file of tokens";
                (Failure::new(Code::Host, message), None)
            }
        };
        self.count(Some(failure.code));
        let mut response = failed(failure);
        if let Some(wait) = wait {
            let seconds = HeaderValue::from(wait.as_secs().max(1));
            response.headers_mut().insert(header::RETRY_AFTER, seconds);
        }
        response
    }

    fn named(&self, event: Event) -> Event {
        let event = event.with("call", self.name).with("peer", self.peer.to_string());
        match &self.token {
            Some(token) => event.with("token", token.as_str()),
            None => event,
        }
    }

    fn count(&self, failed: Option<Code>) {
        self.shared.counts.called(self.name, failed, self.begun.elapsed());
    }

    /// Makes the answer, and logs and counts what failed.
    fn end(self, answer: Result<Response, Problem>) -> Response {
        let problem = match answer {
            Ok(response) => {
                self.count(None);
                return response;
            }
            Err(problem) => problem,
        };
        let code = problem.failure.code;
        self.count(Some(code));
        if let (Some(reason), Some(token)) = (problem.reason(), &self.token) {
            self.shared.counts.refused(token, reason_name(reason));
        }
        // That content is not there is an answer like others.
        if code != Code::NoContent {
            let name = if code.may_be_repeated() { "failed" } else { "refused" };
            let mut event = self.named(Event::new(name)).with("code", code.as_str());
            for (name, value) in problem.fields {
                event = event.with(name, value);
            }
            (self.shared.log)(&event.with("message", problem.failure.message.as_str()));
        }
        failed(problem.failure)
    }
}

/// Returns a reason as one of the known words, so that metrics have few labels.
fn reason_name(reason: &str) -> &'static str {
    const KNOWN: [&str; 10] = [
        "no_lease",
        "other_lease",
        "other_worker",
        "other_game",
        "other_file",
        "no_content",
        "no_replay",
        "unsound_replay",
        "other_replay",
        "forged_result",
    ];
    KNOWN.into_iter().find(|known| *known == reason).unwrap_or("other")
}

fn answer(status: StatusCode, body: &impl Serialize) -> Response {
    let bytes = serde_json::to_vec(body).unwrap_or_default();
    let mut response = Response::new(Body::from(bytes));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(header::CONTENT_TYPE, json);
    response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn failed(failure: Failure) -> Response {
    let status = StatusCode::from_u16(failure.code.status());
    let mut response =
        answer(status.unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), &Failed { error: failure });
    if response.status() == StatusCode::SERVICE_UNAVAILABLE {
        response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(1));
    }
    if response.status() == StatusCode::UNAUTHORIZED {
        let scheme = HeaderValue::from_static("Bearer");
        response.headers_mut().insert(header::WWW_AUTHENTICATE, scheme);
    }
    response
}

/// Answers a call whose request and answer are JSON.
async fn json<Q, A>(
    shared: Arc<Shared>,
    name: &'static str,
    peer: ConnectInfo<Peer>,
    headers: HeaderMap,
    body: Body,
    work: fn(&Desk, &str, Q) -> Result<A, Problem>,
) -> Response
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let call = match Call::begin(&shared, name, &headers, peer) {
        Ok(call) => call,
        Err(response) => return *response,
    };
    let caller = call.caller();
    let done = async {
        let bytes = read(body, shared.limits.call_bytes, &shared.limits).await?;
        let request: Q = serde_json::from_slice(&bytes).map_err(|error| {
            Failure::new(
                Code::Malformed,
                format!("the request is not the JSON that /v{VERSION}/{name} expects: {error}"),
            )
        })?;
        let answered = shared.run(&call.caller(), move |desk| work(desk, &caller, request)).await?;
        Ok(answer(StatusCode::OK, &answered))
    };
    let done = done.await;
    call.end(done)
}

/// Answers a call whose request is the query of its address.
async fn query<Q, A>(
    shared: Arc<Shared>,
    name: &'static str,
    peer: ConnectInfo<Peer>,
    headers: HeaderMap,
    text: Option<String>,
    work: fn(&Desk, &Q) -> Result<A, Problem>,
) -> Response
where
    Q: DeserializeOwned + Send + 'static,
    A: Serialize + Send + 'static,
{
    let call = match Call::begin(&shared, name, &headers, peer) {
        Ok(call) => call,
        Err(response) => return *response,
    };
    let done = async {
        let address = format!("http://host/?{}", text.unwrap_or_default());
        let malformed = |error: String| {
            let message =
                format!("the query is not the one that /v{VERSION}/{name} expects: {error}");
            Failure::new(Code::Malformed, message)
        };
        let address: axum::http::Uri =
            address.parse().map_err(|error| malformed(format!("{error}")))?;
        let request = axum::extract::Query::<Q>::try_from_uri(&address);
        let request = request.map_err(|error| malformed(error.body_text()))?.0;
        let answered = shared.run(&call.caller(), move |desk| work(desk, &request)).await?;
        Ok(answer(StatusCode::OK, &answered))
    };
    let done = done.await;
    call.end(done)
}

/// Stores an upload under its digest.
async fn upload(
    State(shared): State<Arc<Shared>>,
    peer: ConnectInfo<Peer>,
    Path(digest): Path<String>,
    headers: HeaderMap,
    body: Body,
) -> Response {
    let call = match Call::begin(&shared, "put", &headers, peer) {
        Ok(call) => call,
        Err(response) => return *response,
    };
    let done = async {
        let most = shared.limits.upload_bytes;
        let size = match announced(&body).map(usize::try_from) {
            None => most,
            Some(Ok(size)) if size <= most => size,
            Some(_) => return Err(too_large(most).into()),
        };
        let size = size.div_ceil(UNIT).max(1);
        let memory = shared.uploads.wait(&call.caller(), size, shared.limits.queued).await;
        let Some(memory) = memory else { return Err(busy("uploads").into()) };
        let bytes = read(body, most, &shared.limits).await?;
        shared.counts.uploaded(bytes.len());
        let digest = shared
            .run(&call.caller(), move |desk| {
                let _memory = memory;
                let found = botyard_queue::content_digest(&bytes);
                if found != digest {
                    let shown: String = digest.chars().take(64).collect();
                    let message =
                        format!("the content has the digest {found}, and not {shown}: not stored");
                    return Err(Failure::new(Code::Refused, message).into());
                }
                desk.put(&bytes)
            })
            .await?;
        Ok(answer(StatusCode::OK, &Stored { digest }))
    };
    let done = done.await;
    call.end(done)
}

/// Answers with the content of a digest.
async fn download(
    State(shared): State<Arc<Shared>>,
    peer: ConnectInfo<Peer>,
    Path(digest): Path<String>,
    headers: HeaderMap,
) -> Response {
    let call = match Call::begin(&shared, "get", &headers, peer) {
        Ok(call) => call,
        Err(response) => return *response,
    };
    let done = async {
        let memory = shared.downloads.wait(&call.caller(), 1, shared.limits.body).await;
        let Some(memory) = memory else { return Err(busy("downloads").into()) };
        let found = shared.run(&call.caller(), move |desk| desk.get(&digest)).await?;
        let Some(content) = found else {
            return Err(Failure::new(Code::NoContent, "there is no such content").into());
        };
        shared.counts.downloaded(content.len());
        let length = HeaderValue::from(content.len());
        let parts = Parts { rest: Bytes::from(content), _memory: memory };
        let mut response = Response::new(Body::new(parts));
        let headers = response.headers_mut();
        let kind = HeaderValue::from_static("application/octet-stream");
        headers.insert(header::CONTENT_TYPE, kind);
        headers.insert(header::CONTENT_LENGTH, length);
        Ok(response)
    };
    let done = done.await;
    call.end(done)
}

/// The bytes of a part of a download.
const PART: usize = 64 << 10;

/// Content that is sent in parts, and counts as a download until its end.
struct Parts {
    rest: Bytes,
    _memory: Share<String>,
}

impl hyper::body::Body for Parts {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: std::pin::Pin<&mut Self>,
        _: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Result<hyper::body::Frame<Bytes>, Self::Error>>> {
        let size = self.rest.len().min(PART);
        let part = self.rest.split_to(size);
        let frame = (size > 0).then(|| Ok(hyper::body::Frame::data(part)));
        std::task::Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.rest.is_empty()
    }

    fn size_hint(&self) -> hyper::body::SizeHint {
        hyper::body::SizeHint::with_exact(self.rest.len() as u64)
    }
}

async fn health(State(shared): State<Arc<Shared>>) -> Response {
    let health = Health {
        service: SERVICE.to_string(),
        version: env!("CARGO_PKG_VERSION").to_string(),
        api: VERSION,
        upload_bytes: shared.limits.upload_bytes as u64,
    };
    answer(StatusCode::OK, &health)
}

/// Metrics need no token: they name tournaments and workers, and a proxy can keep them inside.
async fn metrics(State(shared): State<Arc<Shared>>) -> Response {
    let mut text = shared.counts.to_text();
    let of_queue = shared.run(&String::new(), Desk::metrics).await;
    let name = "botyard_coordinator_store_up";
    let up = u8::from(of_queue.is_ok());
    text.push_str(&format!(
        "# HELP {name} Whether the store could be read.\n# TYPE {name} gauge\n{name} {up}\n"
    ));
    text.push_str(&of_queue.unwrap_or_default());
    let mut response = Response::new(Body::from(text));
    let kind = HeaderValue::from_static("text/plain; version=0.0.4; charset=utf-8");
    response.headers_mut().insert(header::CONTENT_TYPE, kind);
    response
}

pub(super) fn router(shared: Arc<Shared>) -> Router {
    /// The handler of a call with JSON.
    macro_rules! json {
        ($name:literal, $work:expr) => {
            post(
                |State(shared): State<Arc<Shared>>,
                 peer: ConnectInfo<Peer>,
                 headers: HeaderMap,
                 body: Body| { json(shared, $name, peer, headers, body, $work) },
            )
        };
    }
    /// The handler of a call with a query.
    macro_rules! query {
        ($name:literal, $work:expr) => {
            get(
                |State(shared): State<Arc<Shared>>,
                 peer: ConnectInfo<Peer>,
                 headers: HeaderMap,
                 RawQuery(text): RawQuery| {
                    query(shared, $name, peer, headers, text, $work)
                },
            )
        };
    }
    let unknown = |path: axum::http::Uri| async move {
        let shown: String = path.path().chars().take(100).collect();
        let message = format!("there is no call {shown} with this method in version {VERSION}");
        failed(Failure::new(Code::UnknownCall, message))
    };
    Router::new()
        .route("/v1/introduce", json!("introduce", Desk::introduce))
        .route("/v1/claim", json!("claim", Desk::claim))
        .route("/v1/unfinished", json!("unfinished", Desk::unfinished))
        .route("/v1/heartbeat", json!("heartbeat", Desk::heartbeat))
        .route("/v1/release", json!("release", Desk::release))
        .route("/v1/complete", json!("complete", Desk::complete))
        .route("/v1/definition", query!("definition", Desk::definition))
        .route("/v1/files", query!("files", Desk::files))
        .route("/v1/blobs/{digest}", put(upload).get(download))
        .route("/metrics", get(metrics))
        .route(HEALTH, get(health))
        .method_not_allowed_fallback(unknown)
        .fallback(unknown)
        .with_state(shared)
}
