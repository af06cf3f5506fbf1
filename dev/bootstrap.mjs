// The first code of `npm start`, `npm test` and the longer runs (VERBS). It runs before anything is
// installed, so it is plain JavaScript and uses nothing but Node itself.
// oxlint-disable typescript/strict-boolean-expressions -- no types here
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_MIN = [20, 19];
const VERBS = ['start', 'test', 'bench', 'faults', 'docs', 'fuzz'];
const HEARTBEAT_MS = 15_000;
const PARENT_WATCH_MS = 500;

const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const lockFile = path.join(root, 'package-lock.json');
const stampFile = path.join(root, 'node_modules', '.adplatform-lock');

const [verb, ...args] = process.argv.slice(2);
if (!VERBS.includes(verb)) fail(`usage: node dev/bootstrap.mjs ${VERBS.join('|')} [arguments]`);
requireNode();
if (!isInstalled()) await install();
handOver();

function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > NODE_MIN[0] || (major === NODE_MIN[0] && minor >= NODE_MIN[1])) return;
  fail(`Node ${NODE_MIN.join('.')} or newer is needed; this is ${process.versions.node}.`);
}

/** True when node_modules is what package-lock.json says. */
function isInstalled() {
  const hash = lockHash();
  if (existsSync(stampFile)) {
    if (readFileSync(stampFile, 'utf8') === hash) return true;
    say('package-lock.json has changed.');
  }
  // Somebody ran npm by hand: npm's own record of the tree tells whether that was enough.
  if (!matchesLock()) return false;
  writeFileSync(stampFile, hash);
  return true;
}

function lockHash() {
  return createHash('sha256').update(readFileSync(lockFile)).digest('hex');
}

function matchesLock() {
  const record = path.join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(record)) return false;
  const have = JSON.parse(readFileSync(record, 'utf8')).packages;
  const want = JSON.parse(readFileSync(lockFile, 'utf8')).packages;
  return Object.entries(want).every(([name, entry]) => {
    // Optional packages of other platforms are in the lock and never in the tree.
    if (name === '' || (entry.optional === true && have[name] === undefined)) return true;
    return have[name]?.version === entry.version;
  });
}

/** A registry may drop one request of a thousand: npm is asked twice before giving up. */
async function install() {
  say('Installing packages with "npm ci"; the first time takes about half a minute.');
  for (let attempt = 1; ; attempt += 1) {
    const { code, output } = await npmCi();
    if (code === 0) break;
    if (attempt === 2) {
      process.stderr.write(output);
      fail('"npm ci" failed twice; its output is above.');
    }
    say('"npm ci" failed; trying once more.');
  }
  writeFileSync(stampFile, lockHash());
}

function npmCi() {
  const started = Date.now();
  const seconds = () => Math.round((Date.now() - started) / 1000);
  return new Promise((resolve) => {
    // Development packages are needed even where NODE_ENV=production is set: tsx is one of them.
    const child = spawn('npm', ['ci', '--include=dev', '--no-audit', '--no-fund'], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: process.platform === 'win32',
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    const heartbeat = setInterval(() => say(`still installing (${seconds()} s)`), HEARTBEAT_MS);
    const done = (code, text) => {
      clearInterval(heartbeat);
      if (code === 0) say(`packages installed in ${seconds()} s`);
      resolve({ code, output: text });
    };
    child.on('error', (error) => done(1, `npm cannot be run: ${error.message}\n`));
    child.on('close', (code) => done(code ?? 1, Buffer.concat(chunks).toString()));
  });
}

/**
 * The channel tells the child when this process is gone, even by kill -9, so that no stand is left
 * that nobody can end.
 */
function handOver() {
  const script = path.join('dev', `${verb}.ts`);
  const child = spawn(process.execPath, ['--import', 'tsx', script, ...args], {
    cwd: root,
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.on(signal, () => child.kill(signal));
  }
  // npm's shell takes a signal for itself and dies of it: that it is gone is the signal then.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.env.npm_lifecycle_event === undefined || process.ppid === parent) return;
    clearInterval(watch);
    child.kill('SIGTERM');
  }, PARENT_WATCH_MS);
  child.on('error', (error) => fail(`cannot start ${script}: ${error.message}`));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    // End the same way as the child did, so that a caller sees the same thing.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(name);
    process.kill(process.pid, signal);
  });
}

function say(text) {
  process.stdout.write(`${text}\n`);
}

function fail(text) {
  process.stderr.write(`${text}\n`);
  process.exit(1);
}
