// The page: pasted text becomes the file pasted.txt. ersatz names the file's kind and the command that reads it, and
// the command runs.
'use strict';

const NAME = 'pasted.txt';
const element = id => document.getElementById(id);
let files = {};  // Files chosen from the machine: name -> Uint8Array.

// The page contains the program in compressed form, and compiles it once.
const compiled = (async () => {
  const packed = Uint8Array.from(atob(element('program').textContent), c => c.charCodeAt(0));
  const bytes = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(bytes).arrayBuffer());
})();

// Returns the words of a command line. Quotation marks keep a word together.
function words(line) {
  return [...line.matchAll(/(?:[^\s"']+|"([^"]*)"|'([^']*)')+/g)].map(m => m[0].replace(/"([^"]*)"|'([^']*)'/g, '$1$2'));
}

async function run(commandLine) {
  const text = element('text').value;
  const seen = await runErsatz(makeErsatz, await compiled, commandLine, text ? {...files, [NAME]: text} : files);
  const decoder = new TextDecoder();
  return {status: seen.status, output: decoder.decode(seen.output), errors: decoder.decode(seen.errors)};
}

async function busy(work) {
  document.body.classList.add('busy');
  element('status').textContent = 'running ...';
  await new Promise(done => setTimeout(done, 20));  // First the browser paints that text.
  const start = performance.now();
  try {
    const status = await work();
    element('status').textContent = `exit status ${status}, ${((performance.now() - start) / 1000).toFixed(2)} s`;
  } catch (e) {
    element('status').textContent = `the page could not run ersatz: ${e}`;
  } finally {
    document.body.classList.remove('busy');
  }
}

async function answer() {
  const seen = await run(words(element('arguments').value));
  element('answer').textContent = seen.output + seen.errors;
  return seen.status;
}

// Returns the commands that ersatz names for a file, written as `  ersatz COMMAND FILE   description`.
function uses(told) {
  return [...told.matchAll(/^ {2}ersatz (.*)$/gm)].map(m => {
    const [, command, more] = m[1].match(/^(\S+ \S+(?: --\S+ \S+)*) +(.*)$/) ?? [null, m[1], ''];
    return {line: command.startsWith('crosscheck ') ? `${command} --no-real` : command, says: more};
  });
}

function choose(line) {
  element('arguments').value = line;
  return answer();
}

async function read() {
  const name = element('text').value ? NAME : Object.keys(files)[0];
  element('uses').replaceChildren();
  element('kind').textContent = '';
  if (!name) {
    element('answer').textContent = 'Paste a text, or choose a file.';
    return 2;
  }
  const told = await run([name]);
  const found = uses(told.output);
  element('kind').textContent = (told.output + told.errors).split('\n')[0];
  for (const use of found) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = use.says || use.line;
    button.title = `ersatz ${use.line}`;
    button.addEventListener('click', () => busy(() => choose(use.line)));
    element('uses').append(button);
  }
  if (found.length) return choose(found[0].line);
  element('answer').textContent = told.output + told.errors;
  return told.status;
}

element('read').addEventListener('click', () => busy(read));
element('line').addEventListener('submit', event => {
  event.preventDefault();
  busy(answer);
});
element('files').addEventListener('change', async event => {
  files = {};
  for (const file of event.target.files) files[file.name] = new Uint8Array(await file.arrayBuffer());
});
