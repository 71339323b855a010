//! Drives rslock on tokio: ../PROTOCOL.md. It tells a server that failed as one that said no.
mod protocol;

use protocol::{duration, serve_cancelled, text, unless_cancelled, version, Failed};
use rslock::{LockError, LockManager};
use serde_json::{json, Value};
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Its own pause between two tries is between none and this.
const MOST_PAUSE: Duration = Duration::from_millis(200);

struct Rslock {
    runtime: Runtime,
    manager: Option<LockManager>,
    key: String,
    ttl: Duration,
    held: Option<rslock::Lock>,
    until: Instant,
}

/// One that took longer than the TTL leaves what it set.
fn failed(error: LockError) -> Failed {
    match error {
        LockError::Unavailable => Failed::Refused,
        other => Failed::unknown(other),
    }
}

impl Rslock {
    fn keep(&mut self, lock: rslock::Lock) {
        self.until = Instant::now() + Duration::from_millis(lock.validity_time as u64);
        self.held = Some(lock);
    }
}

impl protocol::Lock for Rslock {
    fn traits(&self) -> Value {
        json!({"library": "rslock", "version": version(include_str!("Cargo.lock"), "rslock"),
               "nodes": "many", "waits": true, "extends": true})
    }

    fn open(&mut self, asked: &Value) -> Result<(), Failed> {
        let nodes = asked["nodes"].as_array().into_iter().flatten();
        let urls = nodes.map(|node| format!("redis://{}", node.as_str().unwrap_or_default()));
        self.manager = Some(LockManager::new(urls.collect()));
        self.key = text(asked, "key").into();
        self.ttl = duration(asked, "ttl_ms");
        Ok(())
    }

    fn acquire(&mut self, wait: Duration) -> Result<Value, Failed> {
        let manager = self.manager.as_mut().ok_or(Failed::Refused)?;
        // It counts tries; between two it pauses for half of that, on average.
        let tries = 1 + wait.as_millis() / (MOST_PAUSE.as_millis() / 2);
        manager.set_retry(tries as u32, MOST_PAUSE);
        let asking = manager.lock(self.key.as_bytes(), self.ttl);
        let got = self.runtime.block_on(unless_cancelled(asking));
        self.keep(got.ok_or(Failed::unknown("cancelled"))?.map_err(failed)?);
        Ok(json!({}))
    }

    fn extend(&mut self) -> Result<(), Failed> {
        let (manager, held) = (self.manager.as_ref(), self.held.as_ref());
        let (manager, held) = manager.zip(held).ok_or(Failed::Refused)?;
        let got = self.runtime.block_on(manager.extend(held, self.ttl));
        self.keep(got.map_err(failed)?);
        Ok(())
    }

    fn release(&mut self) -> Result<Option<bool>, Failed> {
        if let (Some(manager), Some(held)) = (&self.manager, self.held.take()) {
            self.runtime.block_on(manager.unlock(&held));
        }
        Ok(None)
    }

    fn valid_ms(&self) -> Option<i64> {
        let left = self.until.saturating_duration_since(Instant::now());
        let over = Instant::now().saturating_duration_since(self.until);
        self.held.as_ref().map(|_| left.as_millis() as i64 - over.as_millis() as i64)
    }

    fn close(&mut self) {
        self.manager = None;
        self.held = None;
    }
}

fn main() {
    let runtime = Runtime::new().expect("a runtime of tokio");
    let (key, until) = (String::new(), Instant::now());
    serve_cancelled(Rslock { runtime, manager: None, key, ttl: Duration::ZERO, held: None, until });
}
