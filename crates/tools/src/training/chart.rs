//! A chart of losses over epochs, as SVG.

use std::fmt::Write as _;

const WIDTH: f64 = 800.0;
const HEIGHT: f64 = 480.0;
/// The margins at the left and right, above and below the curves.
const MARGIN: [f64; 2] = [70.0, 40.0];
const COLOURS: [&str; 4] = ["#c04030", "#3060a0", "#409050", "#806020"];

/// Draws named curves over epochs from 1, on one scale.
pub fn draw(title: &str, curves: &[(&str, Vec<f64>)]) -> String {
    let values = || curves.iter().flat_map(|(_, values)| values).copied().filter(|value| value.is_finite());
    let (low, high) = values().fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    let (low, high) = if low < high { (low, high) } else { (low.min(1.0) - 0.5, low.min(1.0) + 0.5) };
    let epochs = curves.iter().map(|(_, values)| values.len()).max().unwrap_or(0).max(2);
    let x = |epoch: usize| MARGIN[0] + (WIDTH - 2.0 * MARGIN[0]) * (epoch - 1) as f64 / (epochs - 1) as f64;
    let y = |value: f64| HEIGHT - MARGIN[1] - (HEIGHT - 2.0 * MARGIN[1]) * (value - low) / (high - low);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" font-size=\"13\">\n\
         <rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n<text x=\"{}\" y=\"24\">{title}</text>\n",
        MARGIN[0]
    );
    let mut put = |text: String| writeln!(svg, "{text}").expect("a string grows");
    for line in 0..=4 {
        let value = low + (high - low) * f64::from(line) / 4.0;
        let (left, right, at) = (MARGIN[0], WIDTH - MARGIN[0], y(value));
        put(format!(
            "<path d=\"M{left} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"8\" y=\"{:.1}\">{value:.5}</text>",
            at + 4.0
        ));
    }
    for epoch in [1, epochs.div_ceil(2), epochs] {
        put(format!("<text x=\"{:.1}\" y=\"{}\">{epoch}</text>", x(epoch) - 6.0, HEIGHT - 16.0));
    }
    for (number, (name, values)) in curves.iter().enumerate() {
        let colour = COLOURS[number % COLOURS.len()];
        let points = (1..).zip(values).filter(|(_, value)| value.is_finite());
        let points: Vec<String> = points.map(|(epoch, value)| format!("{:.1},{:.1}", x(epoch), y(*value))).collect();
        put(format!("<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>", points.join(" ")));
        let at = 60 + 18 * number;
        put(format!("<text x=\"{}\" y=\"{at}\" fill=\"{colour}\">{name}</text>", WIDTH - MARGIN[0] - 170.0));
    }
    svg.push_str("</svg>\n");
    svg
}

#[cfg(test)]
mod tests {
    use super::draw;

    #[test]
    fn curves_lie_within_the_picture() {
        let svg = draw("losses", &[("falling", vec![0.3, 0.2, 0.1]), ("rising", vec![0.1, f64::NAN, 0.4])]);
        assert!(svg.contains("70.0,173.3 400.0,306.7 730.0,440.0"), "{svg}");
        assert!(svg.contains("70.0,440.0 730.0,40.0") && svg.contains(">falling<") && svg.contains(">0.40000<"), "{svg}");
        // No points or one point must work too.
        assert!(draw("none", &[]).ends_with("</svg>\n") && draw("one", &[("a", vec![2.0])]).contains("polyline"));
    }
}
