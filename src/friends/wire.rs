//! MQTT over a WebSocket, as both ends use it: packets in, packets out, and the times at which something is due.

use super::LONGEST;
use mqtt_protocol_core::mqtt::common::Cursor;
use mqtt_protocol_core::mqtt::connection::role::RoleType;
use mqtt_protocol_core::mqtt::connection::{Event, TimerKind};
use mqtt_protocol_core::mqtt::packet::{GenericPacketTrait, Packet};
use mqtt_protocol_core::mqtt::{Connection, Version};
use std::io::{self, Read, Write};
use tungstenite::protocol::WebSocketConfig;
use tungstenite::{Message, WebSocket};
use web_time::{Duration, Instant};

/// How long a read waits before what is to be sent is looked at.
pub const TURN: Duration = Duration::from_millis(100);

/// The limits of a WebSocket.
pub fn limits() -> WebSocketConfig {
    WebSocketConfig::default().max_message_size(Some(2 * LONGEST)).max_frame_size(Some(2 * LONGEST))
}

/// One end of a connection.
pub struct Wire<R: RoleType, S> {
    socket: WebSocket<S>,
    pub mqtt: Connection<R>,
    timers: Vec<(TimerKind, Instant)>,
}

impl<R: RoleType, S: Read + Write> Wire<R, S> {
    /// The socket must wait for [`TURN`] at most when it is read.
    pub fn new(socket: WebSocket<S>) -> Wire<R, S> {
        let mut mqtt = Connection::new(Version::V5_0);
        mqtt.set_auto_pub_response(true);
        mqtt.set_auto_ping_response(true);
        Wire { socket, mqtt, timers: Vec::new() }
    }

    /// Sends a packet. What it brings about besides is returned.
    ///
    /// # Errors
    /// The connection is broken.
    pub fn send(&mut self, packet: Packet) -> io::Result<Vec<Packet>> {
        let events = self.mqtt.send(packet);
        self.done(events)
    }

    /// The packets that have come in, after at most [`TURN`].
    ///
    /// # Errors
    /// The connection is broken or closed, or the other side does not speak MQTT.
    pub fn receive(&mut self) -> io::Result<Vec<Packet>> {
        let mut packets = Vec::new();
        let now = Instant::now();
        let due: Vec<TimerKind> = self.timers.iter().filter(|(_, at)| *at <= now).map(|(kind, _)| *kind).collect();
        for kind in due {
            self.timers.retain(|(other, _)| *other != kind);
            let events = self.mqtt.notify_timer_fired(kind);
            packets.extend(self.done(events)?);
        }
        match self.socket.read() {
            Ok(Message::Binary(bytes)) => {
                let mut cursor = Cursor::new(&bytes[..]);
                while (cursor.position() as usize) < bytes.len() {
                    let events = self.mqtt.recv(&mut cursor);
                    packets.extend(self.done(events)?);
                }
            }
            Ok(Message::Close(_)) => return Err(io::ErrorKind::ConnectionReset.into()),
            Ok(_) => {}
            Err(error) => wait_or_fail(error)?,
        }
        Ok(packets)
    }

    fn done(&mut self, events: Vec<Event>) -> io::Result<Vec<Packet>> {
        let mut packets = Vec::new();
        for event in events {
            match event {
                Event::NotifyPacketReceived(packet) => packets.push(packet),
                Event::RequestSendPacket { packet, .. } => {
                    let bytes = packet.to_continuous_buffer();
                    self.socket.send(Message::binary(bytes)).or_else(wait_or_fail)?;
                }
                Event::RequestTimerReset { kind, duration_ms } => {
                    self.timers.retain(|(other, _)| *other != kind);
                    self.timers.push((kind, Instant::now() + Duration::from_millis(duration_ms)));
                }
                Event::RequestTimerCancel(kind) => self.timers.retain(|(other, _)| *other != kind),
                Event::NotifyError(error) => return Err(io::Error::new(io::ErrorKind::InvalidData, error.to_string())),
                Event::RequestClose => return Err(io::ErrorKind::ConnectionAborted.into()),
                Event::NotifyPacketIdReleased(_) => {}
            }
        }
        Ok(packets)
    }
}

/// Nothing came in time, which is no error.
fn wait_or_fail(error: tungstenite::Error) -> io::Result<()> {
    match error {
        tungstenite::Error::Io(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut) => Ok(()),
        tungstenite::Error::Io(error) => Err(error),
        other => Err(io::Error::other(other.to_string())),
    }
}
