//! The loop of PROTOCOL.md for drivers in Rust: `serve(lock)`. Not every driver needs all of it.
#![allow(dead_code)]

use serde_json::{json, Value};
use std::future::{poll_fn, Future};
use std::pin::pin;
use std::sync::{mpsc, Mutex};
use std::task::{Poll, Waker};
use std::time::{Duration, Instant};

/// Why a call did not do what it was told.
pub enum Failed {
    /// It was refused, which is no error.
    Refused,
    Error { what: String, definite: bool },
}

impl Failed {
    /// Something may have happened at the server.
    pub fn unknown(what: impl ToString) -> Failed {
        Failed::Error { what: what.to_string(), definite: false }
    }
}

/// What each library's driver is.
pub trait Lock {
    /// What `hello` says; what is left out is one server, and false.
    fn traits(&self) -> Value;
    fn open(&mut self, asked: &Value) -> Result<(), Failed>;
    /// What is said beside `granted`, which is true: perhaps `token`, `fence`.
    fn acquire(&mut self, wait: Duration) -> Result<Value, Failed>;
    fn extend(&mut self) -> Result<(), Failed> {
        Err(Failed::Error { what: "it cannot be told to extend".into(), definite: true })
    }
    /// None where the library tells nothing.
    fn release(&mut self) -> Result<Option<bool>, Failed>;
    /// Left of the grant by the library's word, below 0 if over; None: it does not tell.
    fn valid_ms(&self) -> Option<i64> {
        None
    }
    fn close(&mut self);
}

pub fn text<'a>(asked: &'a Value, key: &str) -> &'a str {
    asked[key].as_str().unwrap_or_default()
}

pub fn duration(asked: &Value, key: &str) -> Duration {
    Duration::from_millis(asked[key].as_u64().unwrap_or_default())
}

/// The release of a crate in the text of Cargo.lock.
pub fn version(lock_file: &str, name: &str) -> String {
    let begin = format!("name = \"{name}\"\nversion = \"");
    let rest = lock_file.split_once(&begin).map_or("unknown", |(_, rest)| rest);
    rest.split('"').next().unwrap_or_default().into()
}

fn call(lock: &mut dyn Lock, asked: &Value) -> Result<Value, Failed> {
    let mut said = match text(asked, "op") {
        "hello" => {
            let mut traits = json!({"nodes": "one", "waits": false, "renews": false,
                                    "extends": false, "tells": false, "fences": false});
            for (key, value) in lock.traits().as_object().into_iter().flatten() {
                traits[key] = value.clone();
            }
            return Ok(traits);
        }
        "open" => {
            lock.close();
            return lock.open(asked).map(|()| json!({}));
        }
        "acquire" => {
            let mut said = lock.acquire(duration(asked, "wait_ms"))?;
            said["granted"] = json!(true);
            said
        }
        "step" => json!({"ok": true, "lost": false}),
        "extend" => lock.extend().map(|()| json!({"extended": true}))?,
        "release" => return Ok(json!({"released": lock.release()?})),
        _ => {
            lock.close();
            return Ok(json!({}));
        }
    };
    said["valid_ms"] = json!(lock.valid_ms());
    Ok(said)
}

fn answer(lock: &mut dyn Lock, asked: &Value) -> Value {
    let result = match text(asked, "op") {
        "acquire" => "granted",
        "extend" => "extended",
        _ => "released",
    };
    match call(lock, asked) {
        Ok(said) => said,
        Err(Failed::Refused) => json!({result: false}),
        Err(Failed::Error { what, definite }) => json!({"error": what, "definite": definite}),
    }
}

/// The try under way.
struct Try {
    id: u64,
    cancelled: bool,
    waker: Option<Waker>,
}

static TRY: Mutex<Try> = Mutex::new(Try { id: 0, cancelled: false, waker: None });

/// What the call of a try gives; None: its caller cancelled it before, and it is dropped.
pub async fn unless_cancelled<T>(call: impl Future<Output = T>) -> Option<T> {
    let mut call = pin!(call);
    poll_fn(|context| {
        {
            let mut its_try = TRY.lock().unwrap();
            if its_try.cancelled {
                return Poll::Ready(None);
            }
            its_try.waker = Some(context.waker().clone());
        }
        call.as_mut().poll(context).map(Some)
    })
    .await
}

fn begin_try(id: u64) {
    *TRY.lock().unwrap() = Try { id, cancelled: false, waker: None };
}

fn cancel_try(id: u64) {
    let mut its_try = TRY.lock().unwrap();
    if its_try.id == id {
        its_try.cancelled = true;
        its_try.waker.take().into_iter().for_each(Waker::wake);
    }
}

fn lines() -> impl Iterator<Item = Value> {
    std::io::stdin().lines().map(|line| serde_json::from_str(&line.unwrap()).unwrap())
}

/// For a lock whose tries are `unless_cancelled`.
pub fn serve_cancelled(lock: impl Lock) {
    let (to, asks) = mpsc::channel();
    std::thread::spawn(move || {
        for asked in lines() {
            let id = asked["id"].as_u64().unwrap_or_default();
            match text(&asked, "op") {
                "cancel" => {
                    cancel_try(id);
                    continue;
                }
                "acquire" => begin_try(id),
                _ => {}
            }
            if to.send(asked).is_err() {
                break;
            }
        }
    });
    serve_all(lock, asks.into_iter());
}

pub fn serve(lock: impl Lock) {
    serve_all(lock, lines());
}

fn serve_all(mut lock: impl Lock, asks: impl Iterator<Item = Value>) {
    let begin = Instant::now();
    let us = || begin.elapsed().as_micros() as u64;
    for asked in asks {
        let called = us();
        let mut said = answer(&mut lock, &asked);
        said["id"] = asked["id"].clone();
        said["called_us"] = json!(called);
        said["answered_us"] = json!(us());
        println!("{said}");
        if asked["op"] == "exit" {
            break;
        }
    }
}
