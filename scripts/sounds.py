#!/usr/bin/env python3
"""Synthesises the sounds of the program (assets/sounds), and measures them.

    python3 scripts/sounds.py [folder]     needs numpy; writes the WAV files and prints their figures

A knock is a short push (the contact) that sets damped modes ringing: those of the piece, high and soon gone, and those of
the board, low and a little longer. A second, weaker push a few milliseconds later is the piece settling on its edge. A few
early reflections put the board on a desk in a small room. No recordings are used: own work, CC0.
"""

import sys
import wave
from pathlib import Path

import numpy as np

RATE = 44_100


def seconds(length):
    return np.arange(int(RATE * length)) / RATE


def modes(length, partials):
    """Damped sines: (frequency in Hz, time to fall by 60 dB in s, amplitude)."""
    t = seconds(length)
    return sum(a * np.sin(2 * np.pi * f * t) * np.exp(-6.91 * t / fall) for f, fall, a in partials)


def push(contact, roughness, rng):
    """The force of a contact lasting `contact` seconds, a little rough as surfaces are."""
    n = max(int(RATE * contact), 3)
    shape = np.sin(np.pi * (np.arange(n) + 0.5) / n) ** 1.5
    return shape * (1 + roughness * rng.standard_normal(n)) / shape.sum()


def low_pass(y, cutoff, order=2):
    k = np.exp(-2 * np.pi * cutoff / RATE)
    for _ in range(order):
        out = np.empty_like(y)
        s = 0.0
        for i, v in enumerate(y):
            s = (1 - k) * v + k * s
            out[i] = s
        y = out
    return y


def high_pass(y, cutoff):
    return y - low_pass(y, cutoff, 1)


def place(total, *parts):
    """Sounds laid over each other: (start in s, strength, sound)."""
    y = np.zeros(int(RATE * total))
    for start, strength, sound in parts:
        at = int(RATE * start)
        n = min(len(sound), len(y) - at)
        y[at : at + n] += strength * sound[:n]
    return y


def room(y):
    """A desk and a near wall: four early reflections, each duller."""
    out = y.copy()
    for delay, strength, cutoff in ((0.0043, 0.16, 5200), (0.0079, 0.10, 3600), (0.0127, 0.07, 2600), (0.0191, 0.045, 1900)):
        n = int(RATE * delay)
        out[n:] += strength * low_pass(y, cutoff, 1)[: len(y) - n]
    return out


def knock(length, rng, contact, roughness, body, board, click):
    force = push(contact, roughness, rng)
    tone = modes(length, body) + modes(length, board)
    n = int(RATE * 0.012)
    noise = high_pass(low_pass(rng.standard_normal(n), 5000, 2), 900) * np.exp(-np.arange(n) / RATE * 900)
    y = np.convolve(tone, force)[: len(tone)]
    return place(length, (0, 1, y), (0, click, noise))


def vary(rng, partials, spread=0.02):
    """The same thing struck elsewhere: modes a little shifted and differently strong."""
    return [(f * (1 + spread * rng.uniform(-1, 1)), d * rng.uniform(0.9, 1.1), a * rng.uniform(0.75, 1.25)) for f, d, a in partials]


# Modes as (Hz, fall in s, amplitude). Small speakers give little below 300 Hz, so the board's body is kept above it.
BOARD = [(214, 0.150, 0.30), (342, 0.135, 0.55), (527, 0.105, 0.55), (794, 0.075, 0.46), (1120, 0.052, 0.36)]
DISC = [(1460, 0.050, 0.80), (2330, 0.034, 0.70), (3720, 0.022, 0.45)]
KAYA = [(312, 0.110, 0.22), (588, 0.068, 0.36), (930, 0.048, 0.32), (1510, 0.032, 0.26)]
STONE = [(2640, 0.036, 0.80), (4120, 0.024, 0.62), (5900, 0.015, 0.40)]


def wood(seed):
    rng = np.random.default_rng(seed)
    first = knock(0.17, rng, 0.0003, 0.12, vary(rng, DISC), vary(rng, BOARD), 0.030)
    settle = knock(0.12, rng, 0.0005, 0.2, vary(rng, DISC), [(f, d * 0.6, a * 0.4) for f, d, a in BOARD], 0.02)
    return room(place(0.172, (0, 1, first), (rng.uniform(0.013, 0.020), 0.16, settle)))


def stone(seed):
    rng = np.random.default_rng(seed)
    first = knock(0.14, rng, 0.00022, 0.10, vary(rng, STONE), vary(rng, KAYA), 0.045)
    settle = knock(0.08, rng, 0.0002, 0.2, vary(rng, STONE), [], 0.02)
    spin = rng.uniform(0.011, 0.016)
    return room(place(0.150, (0, 1, first), (spin, 0.18, settle), (spin * 1.75, 0.08, settle)))


def capture(seed):
    """Piece against piece, then down on the board: lower and longer than a move."""
    rng = np.random.default_rng(seed)
    clash = knock(0.09, rng, 0.0004, 0.15, vary(rng, [(f * 1.12, d, a * 1.3) for f, d, a in DISC]), [], 0.04)
    heavy = [(f * 0.80, d * 1.45, a * 1.15) for f, d, a in BOARD]
    landing = knock(0.22, rng, 0.0005, 0.12, vary(rng, [(f * 0.86, d, a * 0.7) for f, d, a in DISC]), vary(rng, heavy), 0.025)
    return room(place(0.285, (0, 0.42, clash), (rng.uniform(0.042, 0.050), 1, landing)))


def stone_capture(seed):
    """A stone knocked off and swept aside: a clack of stone on stone, then its companion's click."""
    rng = np.random.default_rng(seed)
    clack = knock(0.10, rng, 0.0002, 0.1, vary(rng, [(f * 1.1, d * 1.3, a) for f, d, a in STONE]), [], 0.04)
    low = [(f * 0.85, d * 1.3, a) for f, d, a in KAYA]
    landing = knock(0.18, rng, 0.0003, 0.1, vary(rng, STONE), vary(rng, low), 0.04)
    return room(place(0.240, (0, 0.55, clack), (rng.uniform(0.048, 0.058), 0.9, landing)))


def bowl(pitch, length, soft=0.004):
    """A small struck bowl: each partial a pair that beats slowly."""
    t = seconds(length)
    y = np.zeros_like(t)
    for ratio, fall, a in ((1, 1.0, 1.0), (2.74, 0.45, 0.28), (5.12, 0.20, 0.09)):
        for detune in (-0.7, 0.7):
            y += 0.5 * a * np.sin(2 * np.pi * (pitch * ratio + detune) * t) * np.exp(-6.91 * t / (fall * length))
    return y * (1 - np.exp(-t / soft))


def bar(pitch, length):
    """A wooden bar tuned as a marimba's: the second partial two octaves up."""
    rng = np.random.default_rng(int(pitch))
    y = modes(length, [(pitch, length * 0.95, 1), (pitch * 3.98, length * 0.28, 0.22), (pitch * 9.6, 0.04, 0.06)])
    return np.convolve(y, push(0.0016, 0.05, rng))[: len(y)]


def two_notes(first, second, gap):
    y = place(gap + 1.05, (0, 0.85, bar(first, 0.75)), (gap, 1, bar(second, 1.0)), (gap, 0.22, bowl(second, 1.0, 0.02)))
    return room(y)


def refused():
    rng = np.random.default_rng(90)
    dull = knock(0.13, rng, 0.0025, 0.05, [], [(168, 0.10, 0.7), (251, 0.085, 1), (377, 0.06, 0.6)], 0)
    return room(place(0.165, (0, 0.9, dull), (0.062, 0.6, dull)))


def low_time():
    rng = np.random.default_rng(91)
    return room(knock(0.075, rng, 0.0007, 0.05, [(1120, 0.055, 1), (1790, 0.030, 0.35)], [(560, 0.04, 0.25)], 0.01))


def lift():
    rng = np.random.default_rng(92)
    n = int(RATE * 0.055)
    t = np.arange(n) / RATE
    scrape = high_pass(low_pass(rng.standard_normal(n), 2600, 2), 500) * np.sin(np.pi * t / t[-1]) ** 2 * np.exp(-t * 30)
    tick = knock(0.05, rng, 0.0009, 0.1, [(f, d * 0.8, a) for f, d, a in DISC], [], 0.01)
    return place(0.065, (0, 1.0, scrape / np.abs(scrape).max()), (0.004, 0.8, tick / np.abs(tick).max()))


def save(folder, name, y, peak_db):
    y = y - y.mean()
    fade = int(0.012 * RATE)
    y[-fade:] *= np.linspace(1, 0, fade) ** 2
    y = y / np.abs(y).max() * 10 ** (peak_db / 20)
    rng = np.random.default_rng(1)
    dither = (rng.random(len(y)) - rng.random(len(y))) * np.linspace(1, 0, len(y)) ** 0.2
    data = np.clip(np.round(y * 32767 + dither), -32768, 32767).astype("<i2")
    with wave.open(str(folder / f"{name}.wav"), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(data.tobytes())
    measure(name, data / 32768)


def measure(name, y):
    power = np.abs(np.fft.rfft(y)) ** 2
    hertz = np.fft.rfftfreq(len(y), 1 / RATE)
    energy = np.cumsum(y**2) / np.sum(y**2)
    low, middle, high = (power[(hertz >= a) & (hertz < b)].sum() / power.sum() for a, b in ((0, 500), (500, 2000), (2000, 2e4)))
    # How loud the ear takes it: the strongest 50 ms.
    window = int(0.05 * RATE)
    loud = max(np.sqrt((y[i : i + window] ** 2).mean()) for i in range(0, max(len(y) - window, 1), window // 4))
    print(
        f"{name:16} {1000 * len(y) / RATE:5.0f} ms  peak {20 * np.log10(np.abs(y).max()):6.1f} dBFS  loudest 50 ms {20 * np.log10(loud):6.1f}"
        f"  centroid {(power * hertz).sum() / power.sum():5.0f} Hz  low/mid/high {low:.2f} {middle:.2f} {high:.2f}"
        f"  90 % by {1000 * np.searchsorted(energy, 0.9) / RATE:4.0f} ms"
    )


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent / "assets" / "sounds")
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(1, 5):
        save(folder, f"place_wood_{number}", wood(10 + number), -12.0)
        save(folder, f"place_stone_{number}", stone(30 + number), -12.0)
    for number in range(1, 4):
        save(folder, f"capture_{number}", capture(50 + number), -11.0)
        save(folder, f"capture_stone_{number}", stone_capture(70 + number), -11.5)
    save(folder, "check", bowl(830.6, 1.1), -19.0)
    save(folder, "win", two_notes(523.25, 783.99, 0.17), -16.0)
    save(folder, "lose", two_notes(440.0, 329.63, 0.22), -16.0)
    save(folder, "illegal", refused(), -14.0)
    save(folder, "low_time", low_time(), -17.0)
    save(folder, "lift", lift(), -27.0)


if __name__ == "__main__":
    main()
