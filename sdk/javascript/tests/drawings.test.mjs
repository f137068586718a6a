/** Drawings: the same as in the kit for Python, whose tests see that they are within the subset of SVG. */

import assert from "node:assert/strict";
import fs from "node:fs";
import path from "node:path";
import test from "node:test";
import * as boards from "../botyard/boards.js";
import { Drawing, acting, decimal, text } from "../botyard/drawing.js";
import * as graphs from "../botyard/graphs.js";
import * as tables from "../botyard/tables.js";
import { ROOT } from "./kit.mjs";

/** @type {Record<string, any>} */
const all = { ...boards, ...graphs, ...tables };

test("the drawings of the test vectors", () => {
    const file = path.join(ROOT, "..", "vectors", "rules", "drawings.json");
    const cases = JSON.parse(fs.readFileSync(file, "utf-8"));
    assert.ok(cases.length > 10);
    for (const { drawing, arguments: given, options, calls, svg } of cases) {
        const made = new all[drawing](...given, options);
        for (const [method, args, more] of calls) {
            if (method === "row") {
                args[1] = args[1].map((/** @type {any} */ [kind, its, options]) => all[kind](...its, options));
            }
            made[method](...args, ...(Object.keys(more).length > 0 ? [more] : []));
        }
        assert.equal(made.svg(), svg, JSON.stringify(calls));
    }
});

test("what a game writes is text", () => {
    const drawing = new Drawing(10, 10, { title: "<&>\ud800" });
    drawing.add(text(5, 5, 3, '"'), { action: 0, label: '"' });
    const svg = drawing.svg();
    assert.ok(svg.includes("<title>&lt;&amp;&gt;\ufffd</title>"), svg);
    assert.ok(svg.includes('<g data-action="0" data-label="&quot;">'), svg);
    assert.equal(acting("<g/>"), "<g/>");
    assert.equal(decimal(-0.001), "0");
});

test("mistakes say what was expected", () => {
    const board = new boards.Board(3, { columns: 4 });
    for (const [call, expected] of /** @type {[() => any, RegExp][]} */ ([
        [() => board.stone(12, "black"), /from 0 to 11, or \[row, column\] in 3 rows, got 12/],
        [() => board.stone([3, 0], "black"), /got \[3,0\]/],
        [() => new boards.Board(0), /at least one row/],
        [() => new boards.Board(3, { style: "glass" }), /wood, checkered, paper, felt, got "glass"/],
        [() => new boards.HexBoard(3, { shape: "star" }), /rhombus or hexagon/],
        [() => tables.die(7), /1 to 6 eyes, got 7/],
        [() => tables.card(2, "cups"), /spades, hearts, diamonds, clubs, got "cups"/],
        [() => new graphs.Graph({ a: [0, 0] }, [["a", "b"]]), /one of 1 nodes, got "b"/],
    ])) {
        assert.throws(call, expected);
    }
});
