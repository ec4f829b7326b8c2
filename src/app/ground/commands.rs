//! The table of commands: what a key asks for, when it does so, and how it is named. Each module adds its own; one system reads the keys, and the
//! tooltips, the help and the manual are made from the same table.

use super::activity::Activity;
use super::keys::{CTRL, KeyFocus, KeysGo, ReadKeys, SHIFT, held};
use super::requests::AnyRequest;
use super::step::Step;
use super::words::Words;
use bevy::ecs::system::SystemState;
use bevy::input::keyboard::{Key, KeyboardInput};
use bevy::prelude::*;

/// What a key asks for.
pub struct Command {
    /// The key, as it is written (`Ctrl+Z`), or the key of the text that names it (`keys.space`).
    key: &'static str,
    /// The key of the text that says what it does. Commands of one name share a row of the help; one without a name has none.
    name: &'static str,
    request: Option<fn() -> AnyRequest>,
    when: fn(&World) -> bool,
    /// It is for the program, even while a text is being written.
    while_typing: bool,
    /// A held key asks again and again.
    repeats: bool,
}

impl Command {
    /// A key that sends a request when this holds.
    pub const fn new(key: &'static str, name: &'static str, when: fn(&World) -> bool, request: fn() -> AnyRequest) -> Command {
        Command { key, name, request: Some(request), when, while_typing: false, repeats: false }
    }

    /// A key that is read elsewhere and asks for this.
    pub const fn elsewhere(key: &'static str, name: &'static str, request: fn() -> AnyRequest) -> Command {
        Command::new(key, name, |_| false, request)
    }

    /// A key or a button that the help explains.
    pub const fn told(key: &'static str, name: &'static str) -> Command {
        Command { key, name, request: None, when: |_| false, while_typing: false, repeats: false }
    }

    /// The same, even while a text is being written.
    pub const fn while_typing(self) -> Command {
        Command { while_typing: true, ..self }
    }

    /// The same, and again and again while the key is held.
    pub const fn repeats(self) -> Command {
        Command { repeats: true, ..self }
    }
}

/// Commands that belong together.
pub struct CommandGroup {
    /// The activity whose they are; `None` for those of the whole program.
    pub activity: Option<Activity>,
    /// The key of their title.
    pub title: &'static str,
    /// Each with the request it sends.
    commands: Vec<(&'static Command, Option<AnyRequest>)>,
}

impl CommandGroup {
    /// The rows of the help: keys, and what they do.
    pub fn rows<'w>(&'w self, words: &'w Words) -> Vec<(String, &'w str)> {
        let mut rows: Vec<(Vec<&str>, &str)> = Vec::new();
        for Command { key, name, .. } in self.commands.iter().map(|(command, _)| *command).filter(|it| !it.name.is_empty()) {
            let (key, name) = (words.say(key), words.say(name));
            match rows.last_mut().filter(|(_, last)| *last == name) {
                Some((keys, _)) if keys.contains(&key) => {}
                Some((keys, _)) => keys.push(key),
                None => rows.push((vec![key], name)),
            }
        }
        rows.into_iter().map(|(keys, name)| (keys.join(", "), name)).collect()
    }
}

/// All commands.
#[derive(Resource, Default)]
pub struct CommandTable(Vec<CommandGroup>);

impl CommandTable {
    /// Adds commands. Those that are added later come first where a key has several, because what is added later knows more.
    pub fn add(app: &mut App, activity: Option<Activity>, title: &'static str, commands: &'static [Command]) {
        let commands = commands.iter().map(|command| (command, command.request.map(|request| request()))).collect();
        let mut table = app.world_mut().get_resource_or_init::<CommandTable>();
        table.0.push(CommandGroup { activity, title, commands });
    }

    /// The groups, in the order in which they were added.
    pub fn groups(&self) -> impl Iterator<Item = &CommandGroup> {
        self.0.iter()
    }

    /// The key that asks for this.
    pub fn key_of(&self, request: &AnyRequest) -> Option<&'static str> {
        let mut commands = self.0.iter().flat_map(|group| &group.commands);
        commands.find(|(_, own)| own.as_ref() == Some(request)).map(|(command, _)| command.key)
    }

    /// What a key asks for now.
    fn asked(&self, key: &str, again: bool, world: &World) -> Option<AnyRequest> {
        let typing = world.resource::<KeyFocus>().go == KeysGo::Text;
        let mut commands = self.0.iter().rev().flat_map(|group| &group.commands);
        let found = commands.find(|(command, _)| {
            command.key == key && (!again || command.repeats) && (!typing || command.while_typing) && (command.when)(world)
        });
        found.and_then(|(_, request)| request.clone())
    }
}

/// A key, as the table writes it.
fn written(input: &KeyboardInput, ctrl: bool, shift: bool) -> String {
    let code = format!("{:?}", input.key_code);
    let sign = match (&input.logical_key, input.key_code) {
        (Key::Character(sign), _) if matches!(sign.as_str(), "+" | "-") => Some(sign.as_str()),
        (_, KeyCode::Equal | KeyCode::NumpadAdd) => Some("+"),
        (_, KeyCode::Minus | KeyCode::NumpadSubtract) => Some("-"),
        _ => None,
    };
    // Signs are where a layout has them, with Shift or without.
    if let Some(sign) = sign {
        return format!("{}{sign}", if ctrl { "Ctrl " } else { "" });
    }
    let name = match input.key_code {
        KeyCode::Space => "keys.space",
        KeyCode::ArrowLeft => "keys.left",
        KeyCode::ArrowRight => "keys.right",
        _ => code.trim_start_matches("Key").trim_start_matches("Digit"),
    };
    format!("{}{}{name}", if ctrl { "Ctrl+" } else { "" }, if shift { "Shift+" } else { "" })
}

/// Sends what the pressed keys ask for. Where Shift means nothing of its own, the key means the same as without it.
fn read_keys(world: &mut World, state: &mut SystemState<(MessageReader<KeyboardInput>, Res<ButtonInput<KeyCode>>)>) -> Result {
    let (mut inputs, keys) = state.get_mut(world)?;
    let (ctrl, shift) = (held(&keys, &CTRL), held(&keys, &SHIFT));
    let pressed = inputs.read().filter(|input| input.state.is_pressed());
    let pressed: Vec<_> = pressed.map(|input| (written(input, ctrl, shift), written(input, ctrl, false), input.repeat)).collect();
    for (key, without_shift, again) in pressed {
        let table = world.resource::<CommandTable>();
        let asked = table.asked(&key, again, world).or_else(|| table.asked(&without_shift, again, world));
        if let Some(request) = asked {
            request.send(world);
        }
    }
    Ok(())
}

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CommandTable>()
        .add_systems(Update, read_keys.in_set(Step::Input).before(ReadKeys).run_if(resource_exists::<ButtonInput<KeyCode>>));
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::input::ButtonState;
    use bevy::input::keyboard::NativeKey;

    #[test]
    fn keys_are_written_as_in_the_table() {
        let unnamed = || Key::Unidentified(NativeKey::Unidentified);
        // (code, what the layout has there, Ctrl, Shift, how it is written)
        let cases = [
            (KeyCode::KeyZ, unnamed(), true, true, "Ctrl+Shift+Z"),
            (KeyCode::Digit3, unnamed(), false, false, "3"),
            (KeyCode::Space, unnamed(), false, false, "keys.space"),
            (KeyCode::ArrowLeft, unnamed(), true, false, "Ctrl+keys.left"),
            (KeyCode::ArrowUp, unnamed(), false, false, "ArrowUp"),
            (KeyCode::F11, unnamed(), false, false, "F11"),
            (KeyCode::NumpadAdd, unnamed(), true, false, "Ctrl +"),
            (KeyCode::Equal, Key::Character("=".into()), true, false, "Ctrl +"),
            (KeyCode::Equal, Key::Character("+".into()), false, true, "+"),
            // A German keyboard.
            (KeyCode::BracketRight, Key::Character("+".into()), true, false, "Ctrl +"),
            (KeyCode::Slash, Key::Character("-".into()), true, false, "Ctrl -"),
        ];
        for (key_code, logical_key, ctrl, shift, text) in cases {
            let (state, window) = (ButtonState::Pressed, Entity::PLACEHOLDER);
            let input = KeyboardInput { key_code, logical_key, state, text: None, repeat: false, window };
            assert_eq!(written(&input, ctrl, shift), text, "{key_code:?}");
        }
    }
}
