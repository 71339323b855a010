//! Drives @NAME@: ../PROTOCOL.md. Put your lock's calls in place of these, which are SET NX PX.
mod protocol;

use protocol::{duration, serve, text, Failed};
use redis::{Client, Connection, RedisResult, Script};
use serde_json::{json, Value};
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

const DELETE: &str =
    "if redis.call('get',KEYS[1])==ARGV[1] then return redis.call('del',KEYS[1]) end return 0";

#[derive(Default)]
struct Lock {
    connection: Option<Connection>,
    key: String,
    ttl: Duration,
    token: String,
}

impl Lock {
    fn connected(&mut self) -> Result<&mut Connection, Failed> {
        self.connection.as_mut().ok_or(Failed::unknown("it is not open"))
    }
}

impl protocol::Lock for Lock {
    fn traits(&self) -> Value {
        json!({"library": "@NAME@", "version": "1"})
    }

    fn open(&mut self, asked: &Value) -> Result<(), Failed> {
        let url = format!("redis://{}", asked["nodes"][0].as_str().unwrap_or_default());
        let client = Client::open(url).and_then(|client| client.get_connection());
        self.connection = Some(client.map_err(Failed::unknown)?);
        self.key = text(asked, "key").into();
        self.ttl = duration(asked, "ttl_ms");
        Ok(())
    }

    fn acquire(&mut self, _wait: Duration) -> Result<Value, Failed> {
        self.token = format!("{:x}", RandomState::new().hash_one("token"));
        let mut set = redis::cmd("SET");
        set.arg(&self.key).arg(&self.token).arg("PX").arg(self.ttl.as_millis() as u64).arg("NX");
        let said: RedisResult<Option<String>> = set.query(self.connected()?);
        said.map_err(Failed::unknown)?.ok_or(Failed::Refused)?;
        Ok(json!({ "token": self.token }))
    }

    fn release(&mut self) -> Result<Option<bool>, Failed> {
        let (key, token) = (self.key.clone(), self.token.clone());
        let deleted: RedisResult<i64> =
            Script::new(DELETE).key(key).arg(token).invoke(self.connected()?);
        Ok(Some(deleted.map_err(Failed::unknown)? == 1))
    }

    fn close(&mut self) {
        self.connection = None;
    }
}

fn main() {
    serve(Lock::default());
}
