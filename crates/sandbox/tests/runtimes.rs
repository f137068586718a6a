//! Language runtimes of bots, in the sandbox: they start threads, take locks, wait for events and
//! timers, map files and read what they can about themselves. In tiers B and C they also start
//! other programs. A runtime that needs a system call that the table lacks fails here.

use crate::host::{TIERS, TREES, can, launch, place, run};
use botyard_sandbox::{Exit, MIB, Tier};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;

/// Returns the path of a runtime. If it is not installed, prints a note beside the results, or
/// panics if `BOTYARD_REQUIRE_RUNTIMES` is set: such a host must test all of them.
fn installed(program: &str) -> Option<String> {
    let directories = ["/usr/bin", "/usr/local/bin"].into_iter();
    let found = directories.map(|directory| format!("{directory}/{program}"));
    let found = found.into_iter().find(|path| Path::new(path).exists());
    if found.is_none() {
        assert!(
            std::env::var_os("BOTYARD_REQUIRE_RUNTIMES").is_none(),
            "{program} is not installed in /usr/bin or /usr/local/bin"
        );
        let _ = writeln!(io::stderr(), "NOT TESTED on this host: {program} is not installed");
    }
    found
}

/// Runs a program in these tiers with the default memory of a bot; it must exit with code 0 and
/// print `done` at the end.
fn runs(tiers: &[Tier], place: &Path, program: &str, args: &[&str]) {
    for &tier in tiers.iter().filter(|&&tier| can(tier, program)) {
        let mut launch = launch(tier, place, program, args);
        launch.limits.memory = 1024 * MIB;
        launch.limits.files = 256;
        launch.limits.processes = 64;
        launch.limits.scratch = 64 * MIB;
        let ran = run(&launch);
        assert_eq!(ran.exit, Some(Exit::Code(0)), "tier {tier}: {program} {args:?}: {ran:?}");
        assert!(ran.stdout.ends_with("done\n"), "tier {tier}: {program}: {ran:?}");
    }
}

#[test]
fn python() {
    let Some(python) = installed("python3") else { return };
    let place = place();
    let threads = "
import asyncio, concurrent.futures, ctypes, decimal, hashlib, mmap, os, random, select, signal
import sqlite3, sys, tempfile, threading, time
with concurrent.futures.ThreadPoolExecutor(4) as pool:
    assert sum(pool.map(lambda n: n * n, range(100))) == 328350
async def several():
    await asyncio.gather(*(asyncio.sleep(0.001) for _ in range(10)))
    await asyncio.to_thread(time.sleep, 0.001)
asyncio.run(several())
signal.signal(signal.SIGALRM, lambda *_: None)
signal.setitimer(signal.ITIMER_REAL, 0.01)
signal.pause()
with open(sys.executable, 'rb') as file:
    assert mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)[:4] == b'\\x7fELF'
open('/proc/self/status').read(), open('/proc/self/maps').read(), os.listdir('/proc/self/fd')
sqlite3.connect(':memory:').execute('create table t (x)')
event = threading.Event(); threading.Timer(0.001, event.set).start(); event.wait()
try: os.nice(5)
except PermissionError: pass
try: os.sched_setaffinity(0, [0])
except PermissionError: pass
[bytearray(10 << 20) for _ in range(20)]
print('done')
";
    runs(&TIERS, place.path(), &python, &["-c", threads]);
    let children = "
import asyncio, os, pathlib, shutil, subprocess, sys, tempfile
assert subprocess.run(['sh', '-c', 'echo $((6*7))'], capture_output=True).stdout == b'42\\n'
async def child():
    process = await asyncio.create_subprocess_exec('/bin/echo', 'x', stdout=-1)
    return await process.communicate()
assert asyncio.run(child())[0] == b'x\\n'
with tempfile.TemporaryDirectory() as d:
    d = pathlib.Path(d)
    (d / 'a').write_text('a'); shutil.copy2(d / 'a', d / 'b'); (d / 'b').chmod(0o755)
    os.rename(d / 'b', d / 'c'); os.utime(d / 'c'); os.symlink('c', d / 'e'); os.mkfifo(d / 'f')
if os.fork() == 0: os._exit(3)
assert os.waitstatus_to_exitcode(os.wait()[1]) == 3
import multiprocessing
context = multiprocessing.get_context('fork')
table = bytearray(100 << 20)
def search(connection): connection.send(len(bytearray(20 << 20)) + len(table))
ends = [context.Pipe() for _ in range(4)]
workers = [context.Process(target=search, args=(end,)) for _, end in ends]
for worker in workers: worker.start()
assert [end.recv() for end, _ in ends] == [120 << 20] * 4
for worker in workers: worker.join()
print('done')
";
    runs(&TREES, place.path(), &python, &["-c", children]);
}

#[test]
fn node() {
    let Some(node) = installed("node") else { return };
    let place = place();
    let threads = "
const { Worker, isMainThread } = require('worker_threads'), fs = require('fs'), os = require('os');
const crypto = require('crypto'), zlib = require('zlib');
new Worker('require(`worker_threads`).parentPort.postMessage(6 * 7)', { eval: true })
  .on('message', async (answer) => {
    await new Promise((then) => setTimeout(then, 2));
    await fs.promises.readFile(process.execPath, { encoding: null }).then((b) => b.length);
    crypto.pbkdf2Sync('a', 'b', 100, 32, 'sha256');
    zlib.gunzipSync(zlib.gzipSync('x'.repeat(1000)));
    process.memoryUsage(); os.cpus(); os.totalmem(); process.resourceUsage();
    try { os.setPriority(5) } catch (e) {}
    console.log(answer === 42 ? 'done' : 'wrong');
  });
";
    runs(&TIERS, place.path(), &node, &["--max-old-space-size=256", "-e", threads]);
    let children = "
const { execFileSync, fork, spawn } = require('child_process'), fs = require('fs');
fs.writeFileSync('/tmp/child.js', 'process.on(`message`, (m) => { process.send(m * 7); process.disconnect() })');
fs.copyFileSync('/tmp/child.js', '/tmp/copy.js'); fs.chmodSync('/tmp/copy.js', 0o755);
fs.copyFileSync('/usr/bin/env', '/tmp/env');
if (execFileSync('/bin/echo', ['x']).toString() !== 'x\\n') throw 'echo';
spawn('cat', { stdio: ['pipe', 'inherit', 'inherit'] }).stdin.end();
const child = fork('/tmp/copy.js', { execArgv: [] });
child.on('message', (answer) => { child.on('exit', () => console.log(answer === 42 ? 'done' : 'wrong')); });
child.send(6);
";
    let tiers: Vec<Tier> = TREES.to_vec();
    runs(&tiers, place.path(), &node, &["--max-old-space-size=256", "-e", children]);
}

#[test]
fn java() {
    let (Some(java), Some(javac)) = (installed("java"), installed("javac")) else { return };
    let place = place();
    let source = place.path().join("own/Tries.java");
    let text = "
import java.nio.file.*; import java.nio.channels.*; import java.util.concurrent.*;
public class Tries {
  public static void main(String[] args) throws Exception {
    var pool = Executors.newFixedThreadPool(4);
    var futures = new java.util.ArrayList<Future<Long>>();
    for (int i = 0; i < 20; i++) { final long n = i; futures.add(pool.submit(() -> n * n)); }
    long sum = 0; for (var future : futures) sum += future.get();
    pool.shutdown();
    var timer = Executors.newScheduledThreadPool(1);
    timer.schedule(() -> {}, 1, TimeUnit.MILLISECONDS).get(); timer.shutdown();
    sum += ForkJoinPool.commonPool().submit(() -> 1L).get();
    Selector.open().close(); Pipe.open();
    try (var file = FileChannel.open(Path.of(args[0]))) {
      file.map(FileChannel.MapMode.READ_ONLY, 0, file.size()).get(0);
    }
    Thread.currentThread().setPriority(1);
    Runtime.getRuntime().availableProcessors(); System.gc(); new java.util.Random().nextInt();
    new java.security.SecureRandom().nextInt();
    java.lang.management.ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
    if (args.length > 1) {
      var child = new ProcessBuilder(\"/bin/echo\", \"x\").start();
      if (child.waitFor() != 0) throw new Error(\"echo\");
      Files.copy(Path.of(args[0]), Path.of(\"/tmp/copy\"));
      try (var from = FileChannel.open(Path.of(args[0]));
           var to = FileChannel.open(Path.of(\"/tmp/to\"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
        from.transferTo(0, from.size(), to);
      }
    }
    System.out.println(sum == 2471 ? \"done\" : \"wrong\");
  }
}";
    fs::write(&source, text).unwrap();
    let directory = source.parent().unwrap();
    let compiled = Command::new(javac).arg("-d").arg(directory).arg(&source).status().unwrap();
    assert!(compiled.success());
    let (classes, source) = (directory.to_str().unwrap(), source.to_str().unwrap());
    let options = ["-Xmx256m", "-XX:-UsePerfData", "-cp", classes, "Tries", source];
    runs(&TIERS, place.path(), &java, &[&["-XX:+UseSerialGC"], &options[..]].concat());
    runs(&TREES, place.path(), &java, &[&["-XX:+UseG1GC"], &options[..], &["x"]].concat());
}

#[test]
fn go() {
    let Some(go) = installed("go") else { return };
    let place = place();
    let own = place.path().join("own");
    let text = "package main
import (\"fmt\"; \"os\"; \"os/exec\"; \"runtime\"; \"runtime/pprof\"; \"sync\"; \"time\"; \"bytes\")
func main() {
  var group sync.WaitGroup
  for i := 0; i < 50; i++ {
    group.Add(1)
    go func() { defer group.Done(); _ = make([]byte, 1 << 20); time.Sleep(time.Millisecond); runtime.Gosched() }()
  }
  group.Wait()
  runtime.GC()
  var profile bytes.Buffer
  pprof.StartCPUProfile(&profile)
  for end := time.Now().Add(20 * time.Millisecond); time.Now().Before(end); { }
  pprof.StopCPUProfile()
  r, w, _ := os.Pipe(); go w.Write([]byte(\"x\")); r.Read(make([]byte, 1))
  if len(os.Args) > 1 {
    out, err := exec.Command(\"/bin/echo\", \"x\").Output()
    if err != nil || string(out) != \"x\\n\" { panic(err) }
    if err := os.WriteFile(\"/tmp/x\", out, 0o644); err != nil { panic(err) }
  }
  fmt.Println(\"done\")
}
";
    fs::write(own.join("main.go"), text).unwrap();
    let built = Command::new(go)
        .args(["build", "-o", "tries", "main.go"])
        .env("GOCACHE", place.path().join("cache"))
        .env("HOME", place.path())
        .current_dir(&own)
        .status()
        .unwrap();
    assert!(built.success());
    let program = own.join("tries");
    runs(&TIERS, place.path(), program.to_str().unwrap(), &[]);
    runs(&TREES, place.path(), program.to_str().unwrap(), &["x"]);
}
