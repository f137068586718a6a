//! The router: from a list of routes, each with who may use it. The role, the origin and the token of a
//! form are checked here, before a handler is called.

use super::addresses::{Mount, mounted};
use super::events::{self as stream, Feed, Flow, Followed, Follower};
use super::fields::Fields;
use super::layout;
use super::proxy::{Proxy, Via};
use super::reply::{BROWSER, COOKIE, Refusal, Reply, SIGN_IN};
use super::upload::{Upload, foreign, not_received, receive_body};
use crate::competition::Competition;
use crate::files::{Database, secrets};
use crate::people::role::{Access, Role};
use crate::people::sessions::{self, Visitor};
use crate::people::throttle::{self, UPLOADS};
use crate::people::tokens;
use crate::site::Site;
use axum::Router;
use axum::body::Body;
use axum::extract::{
    DefaultBodyLimit, FromRequest, FromRequestParts, Multipart, RawPathParams, Request,
};
use axum::http::{HeaderMap, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};
use botyard_connections::{Share, bearer, gzip, is_own_origin, last_event, read};
use botyard_pages::pieces::with_moments;
use maud::html;
use std::sync::Arc;

/// The largest form without a file, in bytes.
const FORM: usize = 64 << 10;

/// What a form with a file has besides the file, in bytes.
const AROUND: u64 = 2 << 20;

/// A request, as handlers see it.
#[derive(Debug)]
pub(crate) struct Asked<'a> {
    /// The site.
    pub site: &'a Arc<Site>,
    /// The competition that the page is about.
    pub competition: Arc<Competition>,
    /// Who asks. `None`: a stranger.
    pub visitor: Option<&'a Visitor>,
    /// The path of the address.
    pub path: &'a str,
    /// The parts of the path that are named in the route.
    pub parts: Fields,
    /// The query of the address.
    pub query: Fields,
    /// The fields of the form.
    pub form: Fields,
    /// The last event that a page has which connects again; empty if it is new.
    pub last_event: &'a str,
    /// The mark of a browser in which a person has signed in before.
    pub browser: &'a str,
    /// The state of a sign-in elsewhere that was begun in this browser.
    pub sign_in: &'a str,
    /// What is known of the connection.
    pub via: &'a Via,
    /// Where the class is served.
    pub mount: &'a Mount,
    /// The name of the course.
    course: String,
}

impl Asked<'_> {
    /// Returns the number that a part of the path is.
    ///
    /// # Errors
    ///
    /// It is no number, so there is no such page.
    pub(crate) fn number(&self, part: &str) -> Result<i64, Refusal> {
        self.parts.get(part).parse().map_err(|_| Refusal::NotFound)
    }

    /// Returns who asks.
    ///
    /// # Errors
    ///
    /// A stranger.
    pub(crate) fn visitor(&self) -> Result<&Visitor, Refusal> {
        self.visitor.ok_or(Refusal::SignIn)
    }

    /// Returns whether the person with this stored password has signed in before in this browser.
    pub(crate) fn is_known_browser(&self, stored: Option<&str>) -> bool {
        // Digests are compared, so that the time of the comparison shows nothing of the mark.
        let digest = |mark: &str| secrets::digest("compared", mark);
        stored.is_some_and(|stored| {
            digest(&secrets::digest("browser", stored)) == digest(self.browser)
        })
    }

    /// Returns the database of the class.
    pub(crate) fn database(&self) -> &Database {
        &self.site.class.database
    }

    /// Returns the competition that the page is about.
    pub(crate) fn competition(&self) -> &Arc<Competition> {
        &self.competition
    }

    /// Returns the name of the course.
    pub(crate) fn course(&self) -> &str {
        &self.course
    }

    /// Returns the path of a page as it is sent, for what is no attribute of a page.
    pub(crate) fn at(&self, path: &str) -> String {
        self.mount.path(path)
    }

    /// Returns the token for forms; empty for a stranger.
    pub(crate) fn form_token(&self) -> String {
        self.visitor.map_or(String::new(), Visitor::form_token)
    }
}

/// Answers a request.
pub(super) type Handler = fn(&Asked<'_>) -> Result<Reply, Refusal>;

/// Answers a request that brings a file.
pub(super) type UploadHandler = fn(&Asked<'_>, Upload) -> Result<Reply, Refusal>;

/// Answers a request for events.
pub(super) type EventsHandler = fn(&Asked<'_>) -> Result<Feed, Refusal>;

/// Answers a request for events that are not read from the database.
pub(super) type FlowHandler = fn(&Asked<'_>) -> Result<Flow, Refusal>;

/// What a route does.
#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Sends events.
    Events(EventsHandler),
    /// Sends events that are not read from the database.
    Flow(FlowHandler),
    /// Shows a page or a file.
    Get(Handler),
    /// Receives a form.
    Post(Handler),
    /// Receives a form with a file of at most this number of bytes.
    Upload(u64, UploadHandler),
    /// Answers a program, which names a person by a token and not by a session.
    ProgramGet(Handler),
    /// Receives a file of at most this number of bytes from a program.
    ProgramUpload(u64, UploadHandler),
}

impl Kind {
    /// Returns whether the visitor is a program with a token. No session is read then, so a page of
    /// another site can do nothing in the name of its visitor.
    fn is_for_programs(self) -> bool {
        matches!(self, Kind::ProgramGet(_) | Kind::ProgramUpload(..))
    }

    /// Returns whether a request has a body.
    fn has_body(self) -> bool {
        matches!(self, Kind::Post(_) | Kind::Upload(..) | Kind::ProgramUpload(..))
    }
}

/// A route.
#[derive(Clone, Copy)]
pub(crate) struct Route {
    /// The path, with named parts in braces.
    pub path: &'static str,
    /// Who may use it.
    pub access: Access,
    /// What it does.
    pub kind: Kind,
}

impl Route {
    /// Returns the method of its requests.
    pub(crate) fn method(&self) -> Method {
        if self.kind.has_body() { Method::POST } else { Method::GET }
    }
}

/// Returns the route of a page or file.
pub(crate) const fn get(path: &'static str, access: Access, handler: Handler) -> Route {
    Route { path, access, kind: Kind::Get(handler) }
}

/// Returns the route of events.
pub(crate) const fn events(path: &'static str, access: Access, handler: EventsHandler) -> Route {
    Route { path, access, kind: Kind::Events(handler) }
}

/// Returns the route of events that are not read from the database.
pub(crate) const fn flow(path: &'static str, access: Access, handler: FlowHandler) -> Route {
    Route { path, access, kind: Kind::Flow(handler) }
}

/// Returns the route of a form.
pub(crate) const fn post(path: &'static str, access: Access, handler: Handler) -> Route {
    Route { path, access, kind: Kind::Post(handler) }
}

/// Returns the route of a form with a file of at most `most` bytes.
pub(crate) const fn upload(
    path: &'static str,
    access: Access,
    most: u64,
    handler: UploadHandler,
) -> Route {
    Route { path, access, kind: Kind::Upload(most, handler) }
}

/// Returns the route of an answer to a program.
pub(crate) const fn program_get(path: &'static str, access: Access, handler: Handler) -> Route {
    Route { path, access, kind: Kind::ProgramGet(handler) }
}

/// Returns the route of a file of at most `most` bytes from a program.
pub(crate) const fn program_upload(
    path: &'static str,
    access: Access,
    most: u64,
    handler: UploadHandler,
) -> Route {
    Route { path, access, kind: Kind::ProgramUpload(most, handler) }
}

/// Returns the router of these routes, of a class that has the whole host.
#[cfg(test)]
pub(crate) fn router(site: &Arc<Site>, routes: Vec<Route>, proxy: Option<Proxy>) -> Router {
    router_at(site, routes, proxy, "")
}

/// Returns the router of these routes, at a path without a slash at its end.
pub(super) fn router_at(
    site: &Arc<Site>,
    routes: Vec<Route>,
    proxy: Option<Proxy>,
    base: &str,
) -> Router {
    let mount = Mount::new(base, &site.class.token);
    let proxy = Arc::new(proxy);
    let mut router = Router::new();
    for route in routes {
        let site = Arc::clone(site);
        let method = if route.kind.has_body() { MethodFilter::POST } else { MethodFilter::GET };
        let most = match route.kind {
            Kind::Upload(most, _) | Kind::ProgramUpload(most, _) => most.saturating_add(AROUND),
            _ => FORM as u64,
        };
        let proxy = Arc::clone(&proxy);
        let handler = move |request: Request| {
            let via = Via::of(&request, proxy.as_ref().as_ref());
            answer(Arc::clone(&site), route, request, via)
        };
        let limit = DefaultBodyLimit::max(usize::try_from(most).unwrap_or(usize::MAX));
        router = router.route(route.path, on(method, handler).layer(limit));
    }
    let site = Arc::clone(site);
    let router = router.fallback(move |request: Request| {
        let via = Via::of(&request, proxy.as_ref().as_ref());
        not_found(Arc::clone(&site), request, via)
    });
    mounted(router, mount)
}

/// What of a request is kept while its body is read.
struct Received {
    visitor: Option<Visitor>,
    path: String,
    parts: Fields,
    query: Fields,
    last_event: String,
    browser: String,
    sign_in: String,
    via: Via,
    mount: Mount,
    reads_gzip: bool,
    /// The share of the requests of a person.
    _share: Option<[Share<i64>; 2]>,
}

async fn answer(site: Arc<Site>, route: Route, request: Request, via: Via) -> Response {
    let (mut parts, body) = request.into_parts();
    let mount = parts.extensions.get::<Mount>().cloned().unwrap_or_default();
    let mut named = Fields::default();
    if let Ok(found) = RawPathParams::from_request_parts(&mut parts, &()).await {
        found.iter().for_each(|(name, value)| named.add(name.to_string(), value.to_string()));
    }
    let is_program = route.kind.is_for_programs();
    let visitor = match is_program {
        true => owner(&site, &parts.headers).await,
        false => visitor(&site, &parts.headers, (&via, &mount)).await,
    };
    let visitor = match visitor {
        Ok(visitor) => visitor,
        Err(refusal) if is_program => return refused_program(&refusal),
        Err(refusal) => return refused(&site, None, (parts.uri.path(), &mount), &refusal),
    };
    let person = visitor.as_ref().map(|visitor| visitor.person.id);
    let share = match person {
        Some(person) => match site.people.shares.person(person).await.map_err(Refusal::from) {
            Ok(share) => Some(share),
            Err(refusal) if is_program => return refused_program(&refusal),
            Err(refusal) => return refused(&site, None, (parts.uri.path(), &mount), &refusal),
        },
        None => None,
    };
    let received = Received {
        visitor,
        reads_gzip: gzip::is_accepted(&parts.headers),
        browser: cookie(&parts.headers, &mount.cookie(BROWSER)).unwrap_or_default(),
        sign_in: cookie(&parts.headers, &mount.cookie(SIGN_IN)).unwrap_or_default(),
        _share: share,
        path: parts.uri.path().to_string(),
        parts: named,
        query: Fields::parse(parts.uri.query().unwrap_or_default().as_bytes()),
        last_event: last_event(&parts.headers).unwrap_or_default().to_string(),
        via,
        mount,
    };
    let role = received.visitor.as_ref().map(|visitor| visitor.person.role);
    let refuse = |received: &Received, refusal: &Refusal| match is_program {
        true => refused_program(refusal),
        false => {
            refused(&site, received.visitor.as_ref(), (&received.path, &received.mount), refusal)
        }
    };
    if let Some(refusal) = denied(route, role) {
        return refuse(&received, &refusal);
    }
    // A proxy need not say whether browsers use TLS.
    if route.kind.has_body() && !is_own_origin(&parts.headers, &["http", "https"]) {
        return refuse(&received, &foreign());
    }
    let body = match route.kind {
        Kind::Get(_) | Kind::Events(_) | Kind::Flow(_) | Kind::ProgramGet(_) => Ok(Sent::Nothing),
        Kind::ProgramUpload(most, _) => {
            program_file(&site, &received, body, most).await.map(Sent::Upload)
        }
        Kind::Post(_) => form(&received, body).await.map(Sent::Form),
        Kind::Upload(most, _) => {
            let request = Request::from_parts(parts, body);
            file(&site, &received, request, most).await.map(Sent::Upload)
        }
    };
    match body {
        Ok(sent) => handle(site, route, received, sent).await,
        Err(refusal) => refuse(&received, &refusal),
    }
}

/// The body of a request.
enum Sent {
    Nothing,
    Form(Fields),
    Upload(Upload),
}

/// Calls the handler on a thread that may wait.
async fn handle(site: Arc<Site>, route: Route, received: Received, sent: Sent) -> Response {
    let share = site.people.shares.request(&received.via.limited_together()).await;
    let share = match share.map_err(Refusal::from) {
        Ok(share) => share,
        Err(refusal) if route.kind.is_for_programs() => return refused_program(&refusal),
        Err(refusal) => return refused(&site, None, (&received.path, &received.mount), &refusal),
    };
    let work = tokio::task::spawn_blocking(move || {
        let _shares = (share, received._share);
        let Received { visitor, path, parts, query, last_event, via, mount, reads_gzip, .. } =
            received;
        let (browser, sign_in) = (received.browser, received.sign_in);
        let follower = || Follower { visitor: visitor.clone(), via: via.clone(), reads_gzip };
        let visitor = visitor.as_ref();
        let competition = match mount.slug() {
            Some(slug) => site.competitions.named(slug),
            None => Some(site.competition()),
        };
        let Some(competition) = competition else {
            return refused(&site, visitor, (&path, &mount), &Refusal::NotFound);
        };
        let mut asked = Asked {
            site: &site,
            competition,
            visitor,
            path: &path,
            parts,
            query,
            form: Fields::default(),
            last_event: &last_event,
            browser: &browser,
            sign_in: &sign_in,
            via: &via,
            mount: &mount,
            course: site.class.course(),
        };
        let result = with_moments(site.class.zone.writer(), || match (route.kind, sent) {
            (Kind::Upload(_, handler) | Kind::ProgramUpload(_, handler), Sent::Upload(upload)) => {
                handler(&asked, upload).map(Answer::Reply)
            }
            (Kind::Get(handler) | Kind::ProgramGet(handler), _) => {
                handler(&asked).map(Answer::Reply)
            }
            (Kind::Events(handler), _) => {
                handler(&asked).map(|feed| Answer::Follow(Followed::Feed(feed)))
            }
            (Kind::Flow(handler), _) => {
                handler(&asked).map(|flow| Answer::Follow(Followed::Flow(flow)))
            }
            (Kind::Post(handler), Sent::Form(form)) => {
                asked.form = form;
                handler(&asked).map(Answer::Reply)
            }
            (Kind::Post(_) | Kind::Upload(..) | Kind::ProgramUpload(..), _) => {
                Err(Refusal::NotFound)
            }
        });
        match result {
            Ok(Answer::Reply(reply)) if via.is_secure => {
                reply.placed(&mount).secure().into_response()
            }
            Ok(Answer::Reply(reply)) => reply.placed(&mount).into_response(),
            Ok(Answer::Follow(what)) => stream::answer(&site, follower(), &mount, what),
            Err(refusal) if route.kind.is_for_programs() => refused_program(&refusal),
            Err(refusal) => refused(&site, visitor, (&path, &mount), &refusal),
        }
    });
    match work.await {
        Ok(response) => response,
        // The handler panicked, which is an error in the program.
        Err(_) => StatusCode::INTERNAL_SERVER_ERROR.into_response(),
    }
}

/// What a handler returned.
enum Answer {
    Reply(Reply),
    Follow(Followed),
}

/// Returns the refusal of a visitor with this role, if the route is not theirs.
fn denied(route: Route, role: Option<Role>) -> Option<Refusal> {
    if route.access.allows(role) {
        return None;
    }
    Some(match role {
        None => Refusal::SignIn,
        Some(role) => Refusal::Forbidden(format!("The role {role} does not include this page.")),
    })
}

/// Returns the value of a cookie.
fn cookie(headers: &HeaderMap, called: &str) -> Option<String> {
    let cookies = headers.get_all(header::COOKIE).into_iter().filter_map(|it| it.to_str().ok());
    cookies.flat_map(|text| text.split(';')).find_map(|cookie| {
        let (name, value) = cookie.trim().split_once('=')?;
        (name == called).then(|| value.to_string())
    })
}

/// Returns the visitor whose cookie a request has.
async fn visitor(
    site: &Arc<Site>,
    headers: &HeaderMap,
    (via, mount): (&Via, &Mount),
) -> Result<Option<Visitor>, Refusal> {
    // Sessions that began before an update have a cookie without the part of the class.
    let token = cookie(headers, &mount.cookie(COOKIE)).or_else(|| cookie(headers, COOKIE));
    let Some(token) = token else { return Ok(None) };
    let (site, account) = (Arc::clone(site), via.account.clone());
    let found = tokio::task::spawn_blocking(move || {
        site.class
            .database
            .transaction(|transaction| sessions::visitor(transaction, &token, account.as_deref()))
    });
    let found =
        found.await.map_err(|_| Refusal::Host("A session could not be read.".to_string()))?;
    Ok(found?)
}

/// Returns the person whose token a request of a program has.
async fn owner(site: &Arc<Site>, headers: &HeaderMap) -> Result<Option<Visitor>, Refusal> {
    let Some(token) = bearer(headers).map(String::from) else { return Ok(None) };
    let site = Arc::clone(site);
    let found = tokio::task::spawn_blocking(move || {
        let person =
            site.class.database.transaction(|transaction| tokens::owner(transaction, &token))?;
        Ok::<_, rusqlite::Error>(person.map(|person| Visitor::of_program(person, &token)))
    });
    let found = found.await.map_err(|_| Refusal::Host("A token could not be read.".to_string()))?;
    Ok(found?)
}

/// Receives a form without a file.
async fn form(received: &Received, body: Body) -> Result<Fields, Refusal> {
    let too_large = || Refusal::TooLarge(format!("The form has more than {FORM} bytes."));
    let bytes = read(body, FORM).await.map_err(|error| not_received(error, "form", too_large))?;
    let form = Fields::parse(&bytes);
    match &received.visitor {
        Some(visitor) if form.get("token") != visitor.form_token() => Err(foreign()),
        _ => Ok(form),
    }
}

/// Receives a form with a file.
async fn file(
    site: &Arc<Site>,
    received: &Received,
    request: Request,
    most: u64,
) -> Result<Upload, Refusal> {
    let _share = file_share(site, received)?;
    count_upload(site, received).await?;
    let multipart = Multipart::from_request(request, &()).await;
    let multipart = multipart
        .map_err(|error| Refusal::Wrong(format!("Expected a form with a file: {error}.")))?;
    let token = received.visitor.as_ref().map(Visitor::form_token);
    let is_token = |sent: &str| token.as_deref() == Some(sent);
    Upload::receive(multipart, most, &site.class.directory.uploads(), is_token).await
}

/// Receives a file from a program.
async fn program_file(
    site: &Arc<Site>,
    received: &Received,
    body: Body,
    most: u64,
) -> Result<Upload, Refusal> {
    let _share = file_share(site, received)?;
    count_upload(site, received).await?;
    receive_body(body, received.query.get("name"), most, &site.class.directory.uploads()).await
}

/// Takes a share of the files that are received at once.
fn file_share(site: &Site, received: &Received) -> Result<Option<Share<i64>>, Refusal> {
    let person = received.visitor.as_ref().map(|visitor| visitor.person.id);
    Ok(person.map(|person| site.people.shares.file(person)).transpose()?)
}

/// Counts a file that a person sends, and refuses one too many.
async fn count_upload(site: &Arc<Site>, received: &Received) -> Result<(), Refusal> {
    let Some(visitor) = &received.visitor else { return Ok(()) };
    let (own, what) = (Arc::clone(site), throttle::uploads_of(visitor.person.id));
    let wait = tokio::task::spawn_blocking(move || {
        own.class.database.transaction(|transaction| {
            let wait = throttle::wait(transaction, &what, UPLOADS)?;
            if wait.is_none() {
                throttle::count(transaction, &what)?;
            }
            Ok::<_, rusqlite::Error>(wait)
        })
    });
    let wait = wait.await.map_err(|_| Refusal::Host("A limit could not be read.".to_string()))?;
    match wait? {
        Some(seconds) => Err(too_many_files(seconds)),
        None => Ok(()),
    }
}

/// Returns the refusal of a file too many, which may be sent again after this number of seconds.
pub(crate) fn too_many_files(seconds: i64) -> Refusal {
    Refusal::TooMany(format!(
        "You sent {} files in a short time. Try again in {seconds} s.",
        UPLOADS.most
    ))
}

/// Returns a refusal as JSON, for a program.
fn refused_program(refusal: &Refusal) -> Response {
    let (status, _, text) = refusal.described();
    let text = match refusal {
        Refusal::SignIn => {
            "The token is not valid: it is mistyped or revoked. Make a new one on the page of your team."
        }
        Refusal::NotFound => "There is no such submission, or it is not yours.",
        _ => text,
    };
    let reply = Reply::json(&serde_json::json!({ "error": text })).status(status);
    match refusal {
        Refusal::SignIn => reply.with(header::WWW_AUTHENTICATE, "Bearer").into_response(),
        _ => reply.into_response(),
    }
}

/// Returns the page of a refusal. Strangers are sent to the page on which they sign in.
fn refused(
    site: &Arc<Site>,
    visitor: Option<&Visitor>,
    (path, mount): (&str, &Mount),
    refusal: &Refusal,
) -> Response {
    if matches!(refusal, Refusal::SignIn) {
        return Reply::see("/login").placed(mount).into_response();
    }
    let (status, title, text) = refusal.described();
    let asked = Asked {
        site,
        competition: mount
            .slug()
            .and_then(|slug| site.competitions.named(slug))
            .unwrap_or_else(|| site.competition()),
        visitor,
        path,
        parts: Fields::default(),
        query: Fields::default(),
        form: Fields::default(),
        last_event: "",
        browser: "",
        sign_in: "",
        via: &Via::default(),
        mount,
        course: site.class.course(),
    };
    let main = html! {
        (layout::notice(text))
        p { a href="/" { "To the first page" } }
    };
    layout::page(&asked, title, &main).status(status).placed(mount).into_response()
}

async fn not_found(site: Arc<Site>, request: Request, via: Via) -> Response {
    let mount = request.extensions().get::<Mount>().cloned().unwrap_or_default();
    let visitor = visitor(&site, request.headers(), (&via, &mount)).await.unwrap_or_default();
    refused(&site, visitor.as_ref(), (request.uri().path(), &mount), &Refusal::NotFound)
}
