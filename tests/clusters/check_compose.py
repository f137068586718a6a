"""Checks a compose file without an engine: it parses, has only keys of the compose specification, and whatever it refers
to is there. Exits with 1 and the problems if there are any."""

import sys

import yaml

TOP = {"name", "services", "networks", "volumes", "secrets", "configs"}
# Of the compose specification, those that services here may have.
SERVICE = {
    "build", "cap_add", "cap_drop", "command", "configs", "container_name", "cpus", "depends_on", "deploy", "entrypoint",
    "env_file", "environment", "expose", "extra_hosts", "healthcheck", "hostname", "image", "init", "labels", "logging",
    "mem_limit", "network_mode", "networks", "pids_limit", "ports", "privileged", "profiles", "read_only", "restart",
    "scale", "secrets", "security_opt", "shm_size", "stop_grace_period", "stop_signal", "tmpfs", "ulimits", "user",
    "volumes", "working_dir",
}  # fmt: skip
CONDITIONS = {"service_started", "service_healthy", "service_completed_successfully"}


def problems(compose: dict) -> list[str]:
    found = [f"unknown key {key!r}" for key in compose.keys() - TOP]
    services = compose.get("services") or {}
    for name, service in services.items():
        found += [f"{name}: unknown key {key!r}" for key in service.keys() - SERVICE]
        if not service.get("image") and not service.get("build"):
            found.append(f"{name}: neither image nor build")
        for secret in service.get("secrets", []):
            source = secret if isinstance(secret, str) else secret["source"]
            if source not in (compose.get("secrets") or {}):
                found.append(f"{name}: there is no secret {source!r}")
        depends = service.get("depends_on", [])
        for other in depends:
            if other not in services:
                found.append(f"{name}: depends on {other!r}, which is no service")
            condition = depends[other]["condition"] if isinstance(depends, dict) else "service_started"
            if condition not in CONDITIONS:
                found.append(f"{name}: unknown condition {condition!r}")
            if condition == "service_healthy" and "healthcheck" not in services.get(other, {}):
                found.append(f"{name}: waits for the health of {other!r}, which has no check")
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            if not source.startswith((".", "/", "~")) and source not in (compose.get("volumes") or {}):
                found.append(f"{name}: there is no volume {source!r}")
        for port in service.get("ports", []):
            if not str(port).startswith("127.0.0.1:"):
                found.append(f"{name}: the port {port} is open to other hosts")
        for key in ("command", "entrypoint"):
            value = service.get(key, [])
            if not isinstance(value, list) or not all(isinstance(word, str) for word in value):
                found.append(f"{name}: {key} is not a list of words")
    return found


def main() -> int:
    status = 0
    for path in sys.argv[1:]:
        with open(path, encoding="utf-8") as file:
            found = problems(yaml.safe_load(file))
        for problem in found:
            print(f"{path}: {problem}")
            status = 1
        if not found:
            print(f"{path} is right")
    return status


if __name__ == "__main__":
    sys.exit(main())
