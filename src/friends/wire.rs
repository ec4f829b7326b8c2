//! MQTT over a WebSocket, as both ends use it: packets in, packets out, and the times at which something is due. It knows nothing of threads and
//! waits for nothing, so the program and the page in a browser have the same.

use mqtt_protocol_core::mqtt::common::Cursor;
use mqtt_protocol_core::mqtt::connection::role::RoleType;
use mqtt_protocol_core::mqtt::connection::{Event, TimerKind};
use mqtt_protocol_core::mqtt::packet::{GenericPacketTrait, Packet};
use mqtt_protocol_core::mqtt::{Connection, Version};
use std::io;
use web_time::{Duration, Instant};

/// How long a read waits before what is to be sent is looked at.
pub const TURN: Duration = Duration::from_millis(100);

/// What sends the messages of a [`Wire`].
pub trait Sends {
    /// Sends a message.
    ///
    /// # Errors
    /// The connection is broken.
    fn send(&mut self, message: Vec<u8>) -> io::Result<()>;
}

/// One end of a connection.
pub struct Wire<R: RoleType, S> {
    pub socket: S,
    pub mqtt: Connection<R>,
    timers: Vec<(TimerKind, Instant)>,
}

impl<R: RoleType, S: Sends> Wire<R, S> {
    pub fn new(socket: S) -> Wire<R, S> {
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

    /// The packets in a message that has come in; none came within [`TURN`] if it is empty.
    ///
    /// # Errors
    /// The connection is broken or closed, or the other side does not speak MQTT.
    pub fn receive(&mut self, message: &[u8]) -> io::Result<Vec<Packet>> {
        let mut packets = Vec::new();
        let now = Instant::now();
        let due: Vec<TimerKind> = self.timers.iter().filter(|(_, at)| *at <= now).map(|(kind, _)| *kind).collect();
        for kind in due {
            self.timers.retain(|(other, _)| *other != kind);
            let events = self.mqtt.notify_timer_fired(kind);
            packets.extend(self.done(events)?);
        }
        let mut cursor = Cursor::new(message);
        while (cursor.position() as usize) < message.len() {
            let events = self.mqtt.recv(&mut cursor);
            packets.extend(self.done(events)?);
        }
        Ok(packets)
    }

    fn done(&mut self, events: Vec<Event>) -> io::Result<Vec<Packet>> {
        let mut packets = Vec::new();
        for event in events {
            match event {
                Event::NotifyPacketReceived(packet) => packets.push(packet),
                Event::RequestSendPacket { packet, .. } => self.socket.send(packet.to_continuous_buffer())?,
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
