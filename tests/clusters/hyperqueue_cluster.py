"""Runs a script with arguments while a cluster of HyperQueue with two workers runs on this host, and passes on its exit
code. The script gets the directory of the cluster's server as --server-dir."""

import subprocess
import sys

from hyperqueue.cluster import LocalCluster, WorkerConfig


def main() -> int:
    with LocalCluster() as cluster:
        for _ in range(2):
            cluster.start_worker(WorkerConfig(cores=2))
        command = [sys.executable, *sys.argv[1:], "--server-dir", str(cluster.cluster.server_dir)]
        return subprocess.run(command).returncode


if __name__ == "__main__":
    sys.exit(main())
