// Runs cases under node, as the page runs them: node run_cases.js BUILD <cases.json
// A case is {line: [argument...], files: {name: path}}. For each case a line on stdout has {status, output, errors}, with
// output and errors as base64.
'use strict';
const fs = require('fs');
const path = require('path');

const {runErsatz} = require('../../web/page/run.js');
const build = path.resolve(process.argv[2]);
const makeErsatz = require(path.join(build, 'bin/ersatz.js'));

async function main() {
  const compiled = await WebAssembly.compile(fs.readFileSync(path.join(build, 'bin/ersatz.wasm')));
  for (const {line, files} of JSON.parse(fs.readFileSync(0, 'utf8'))) {
    const contents = Object.fromEntries(Object.entries(files).map(([name, at]) => [name, fs.readFileSync(at)]));
    const {status, output, errors} = await runErsatz(makeErsatz, compiled, line, contents);
    const base64 = bytes => Buffer.from(bytes).toString('base64');
    console.log(JSON.stringify({status, output: base64(output), errors: base64(errors)}));
  }
}
main().catch(e => { console.error(e); process.exit(1); });
