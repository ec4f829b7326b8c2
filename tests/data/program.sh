while read -r line; do case "$line" in
    uci) echo "id name Script"
        echo "option name Hash type spin default 64 min 1 max 4096"
        echo "option name Threads type spin default 1 min 1 max 16"
        echo "option name Own Book type check default true"
        echo "option name Style type combo default Normal var Solid var Normal var Risky"
        echo "option name EvalFile type string default xiangqi.nnue"
        echo "option name Clear Hash type button"
        echo "option name MultiPV type spin default 1 min 1 max 8"
        echo uciok;;
    isready) echo readyok;;
    go*) echo "info depth 18 seldepth 27 multipv 1 score cp 52 nodes 4812345 time 2900 pv h2e2 h9g7 h0g2 i9h9"
        echo "info depth 18 seldepth 26 multipv 2 score cp 44 nodes 4812345 time 2900 pv b2e2 b9c7 b0c2 a9b9"
        echo "info depth 18 seldepth 26 multipv 3 score cp 31 nodes 4812345 time 2900 pv c3c4 h7e7 b0c2 h9g7"
        echo "info depth 18 seldepth 25 multipv 4 score cp 25 nodes 4812345 time 2900 pv g0e2 h9g7 g3g4 c6c5"
        echo "info depth 18 seldepth 25 multipv 5 score cp -12 nodes 4812345 time 2900 pv b0c2 g6g5 c3c4 h9g7"
        echo bestmove h2e2;;
    quit) exit 0;;
esac; done
