// One run of ersatz's command line: in the page, and in the tests under node.
//
// runErsatz(makeModule, compiled, commandLine, files) answers {status, output, errors}: the exit status, and the bytes of stdout and stderr.
//   makeModule   what emscripten made: the function `makeErsatz` of ersatz.js
//   compiled     the WebAssembly.Module of ersatz.wasm; each run gets an instance of its own, and nothing is left of it
//   commandLine  its arguments, a list of strings
//   files        name -> string or Uint8Array: files that the run finds beside it
'use strict';

async function runErsatz(makeModule, compiled, commandLine, files) {
  const output = [], errors = [];
  const module = await makeModule({
    noInitialRun: true,
    stdin: () => null,
    stdout: byte => { if (byte !== null) output.push(byte); },
    stderr: byte => { if (byte !== null) errors.push(byte); },
    quit: (status, how) => { throw how; },
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(compiled, imports).then(done);
      return {};
    },
  });
  for (const [name, content] of Object.entries(files)) module.FS.writeFile('/' + name, content);
  let status;
  try {
    status = module.callMain(commandLine);
  } catch (how) {
    if (how?.name !== 'ExitStatus') {
      const words = new TextEncoder().encode(`ersatz: broke off in the page: ${how}\n`);
      return {status: 3, output: Uint8Array.from(output), errors: Uint8Array.from([...errors, ...words])};
    }
    status = how.status;
  }
  return {status, output: Uint8Array.from(output), errors: Uint8Array.from(errors)};
}

if (typeof module !== 'undefined') module.exports = {runErsatz};
