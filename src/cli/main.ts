#!/usr/bin/env node
// Nothing is imported before the version check: on an old Node the first import would fail with a riddle.
const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  console.error(`error[UNSUPPORTED_NODE]: ibid needs Node 22.19 or later, this is ${process.versions.node}`);
  console.error('hint: install a maintained Node, or run through `npx -p node@24 -- ibid …`.');
  process.exit(1);
}
// `ibid export | head` closes our output early: that is the reader's right, not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  console.error(`error[FILE_UNREADABLE]: the output cannot be written: ${error.code}`);
  console.error(
    `hint: ${error.code === 'ENOSPC' ? 'The disk is full: free space, or send' : 'Send'} the output elsewhere.`,
  );
  process.exit(1);
});
// What nobody reads, or has room for, is no reason to leave work undone: `ibid ingest docs 2>&1 | head -1`.
process.stderr.on('error', () => {});
// Compiling is a tenth of a short command. Processes of ours take the cache over.
const { enableCompileCache } = await import('node:module');
enableCompileCache();
(await import('./memory.ts')).quietDatabase();
const { run } = await import('./run.ts');
process.exitCode = await run(process.argv.slice(2));
// The database waits for a silent object store when everybody else has given up, and would keep the process.
setInterval(() => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}, 1000).unref();

export {};
