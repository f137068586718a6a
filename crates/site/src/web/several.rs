//! Several classes on one host, each below a path of its own, and the page that lists them.

use super::proxy::Proxy;
use super::router::{Route, router_at};
use crate::site::Site;
use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use botyard_protocol::printable;
use maud::{DOCTYPE, html};
use std::sync::Arc;
use tower_service::Service;

/// Returns the router of some classes with their paths, which have no slash at the end. One with an empty path has the
/// whole host.
pub(crate) fn router_of_all(
    classes: &[(Arc<Site>, String)],
    routes: fn() -> Vec<Route>,
    proxy: Option<&Proxy>,
) -> Router {
    let mut routers = Vec::new();
    for (site, base) in classes {
        let router = router_at(site, routes(), proxy.cloned(), base);
        if base.is_empty() {
            return router;
        }
        routers.push((Arc::clone(site), base.clone(), router));
    }
    let all = Arc::new(routers);
    Router::new().fallback(move |request: Request| answer(Arc::clone(&all), request))
}

async fn answer(all: Arc<Vec<(Arc<Site>, String, Router)>>, request: Request) -> Response {
    let path = request.uri().path();
    for (_, base, router) in all.iter() {
        match path.strip_prefix(base.as_str()) {
            Some("") => return Redirect::permanent(&format!("{base}/")).into_response(),
            Some(rest) if rest.starts_with('/') => {
                let mut router = router.clone();
                return match router.call(request).await {
                    Ok(response) => response,
                    Err(never) => match never {},
                };
            }
            _ => {}
        }
    }
    let status = if path == "/" { StatusCode::OK } else { StatusCode::NOT_FOUND };
    let mut response = (status, Html(list(&all))).into_response();
    let policy = HeaderValue::from_static(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'",
    );
    response.headers_mut().insert(header::CONTENT_SECURITY_POLICY, policy);
    response
}

/// Returns the page that lists the courses.
fn list(all: &[(Arc<Site>, String, Router)]) -> String {
    let assets = all.first().map(|(_, base, _)| format!("{base}/assets")).unwrap_or_default();
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "Courses" }
                link rel="icon" href=(format!("{assets}/icon.svg")) type="image/svg+xml";
                link rel="stylesheet" href=(format!("{assets}/site.css"));
            }
            body class="site" {
                main class="report" id="main" {
                    h1 { "Courses" }
                    section {
                        ul {
                            @for (site, base, _) in all {
                                li { a href=(format!("{base}/")) { bdi { (printable(&site.class.course(), 120)) } } }
                            }
                        }
                    }
                }
            }
        }
    };
    page.into_string()
}
