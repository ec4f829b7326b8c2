//! Tests every line of `perft.txt`: the perft counts for each of its depths.

use qiju_core::{games, table::Setup};

#[test]
fn every_line_of_the_file() {
    let mut counts = 0;
    for (number, line) in (1..).zip(include_str!("data/xiangqi/perft.txt").lines()) {
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let mut fields = line.split(';').map(str::trim);
        let position = fields.next().map(str::to_owned);
        let table = games::find("xiangqi")
            .unwrap()
            .table(&Setup { variant: None, position })
            .unwrap_or_else(|e| panic!("line {number}: {e}"));
        for field in fields {
            let (depth, count) = field.strip_prefix('D').and_then(|f| f.split_once(' ')).expect("Dn count");
            let (depth, count): (u32, u64) = (depth.parse().unwrap(), count.trim().parse().unwrap());
            assert_eq!(table.perft(depth), count, "line {number}, depth {depth}");
            counts += 1;
        }
    }
    assert!(counts > 150, "{counts}");
}
