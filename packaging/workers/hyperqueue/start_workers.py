#!/usr/bin/env python3
"""Starts workers of Botyard as tasks of HyperQueue, waits for their end, and prints how many ended well.

A server of HyperQueue must run, with its own workers on the hosts: started by hand, or by its allocator in jobs of Slurm
or PBS.

    hq server start &
    hq worker start &                  # on every host, or: hq alloc add slurm --time-limit 4h
    pip install hyperqueue             # of the version of `hq`
    start_workers.py COUNT URL TOKEN-FILE

A task ends when the queue is empty. A task whose host is lost is started again on another; what it had leased is played
elsewhere in the meantime.
"""

import argparse
import sys
from pathlib import Path

from hyperqueue import Client, Job
from hyperqueue.ffi.protocol import ResourceRequest

# The token comes on standard input, where no other user of the host sees it. `exec`, so that a signal reaches the worker.
WORKER = """
umask 077
IFS= read -r token
cache="${BOTYARD_CACHE:-${TMPDIR:-/tmp}/botyard-$(id -un)}/$HQ_TASK_ID"
mkdir -p "$cache"
printf '%s\\n' "$token" >"$cache/token"
exec "${BOTYARD:-botyard}" worker --token-file "$cache/token" --name "$(hostname)-hq-$HQ_JOB_ID-$HQ_TASK_ID" \
  --cache "$cache/work" --drain "$@"
"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("count", type=int, help="number of workers")
    parser.add_argument("url", help="address of the coordinator")
    parser.add_argument("token_file", type=Path, help="file of the token")
    parser.add_argument("--server-dir", type=Path, help="directory of the server [default: that of `hq`]")
    parser.add_argument("--cpus", type=int, default=2, help="cores of a worker [default: 2]")
    parser.add_argument("--env", action="append", default=[], metavar="NAME=VALUE", help="for every worker")
    parser.add_argument("--out", type=Path, default=Path.cwd(), help="directory of the logs [default: here]")
    args, options = parser.parse_known_args()

    token = args.token_file.read_bytes()
    environment = dict(setting.split("=", 1) for setting in args.env)
    # A worker that fails is no reason to end the others.
    job = Job(name="botyard", max_fails=None, default_env=environment)
    for number in range(args.count):
        job.program(
            ["bash", "-c", WORKER, "worker", "--url", args.url, *options],
            stdin=token,
            stdout=args.out.resolve() / f"botyard-{number}.out",
            stderr=args.out.resolve() / f"botyard-{number}.err",
            resources=ResourceRequest(cpus=args.cpus),
            crash_limit=10,
        )
    client = Client(args.server_dir)
    submitted = client.submit(job)
    if client.wait_for_jobs([submitted], raise_on_error=False):
        print(f"{args.count} workers ended well")
        return 0
    failed = client.get_failed_tasks(submitted)
    for number, failure in failed.items():
        print(f"worker {number} failed: {failure.error}; see {failure.stderr}", file=sys.stderr)
    print(f"{args.count - len(failed)} workers of {args.count} ended well")
    return 1


if __name__ == "__main__":
    sys.exit(main())
