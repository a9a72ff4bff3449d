"""The numbers of the server as Prometheus' own client library reads them.

usage: metrics.py TEXT EXPECTED
TEXT holds what `/metrics` said; EXPECTED is the sum of all requests that were made.
"""

import collections
import sys

from prometheus_client.parser import text_fd_to_metric_families

CLOSED = {
    "form": {"html", "markdown", "other"},
    "coding": {"identity", "gzip", "br", "zstd"},
}
WANTED = {
    "diglot_requests": "counter",
    "diglot_request_seconds": "histogram",
    "diglot_sent_bytes": "counter",
    "diglot_connections": "gauge",
    "diglot_edition_info": "gauge",
    "diglot_edition_age_seconds": "gauge",
    "diglot_edition_articles": "gauge",
    "diglot_edition_problems": "gauge",
    "diglot_reload_seconds": "gauge",
    "diglot_reloads": "counter",
    "process_start_time_seconds": "gauge",
}


def main():
    text, expected = sys.argv[1], int(sys.argv[2])
    with open(text, encoding="utf-8", newline="") as file:
        families = list(text_fd_to_metric_families(file))
    names = [family.name for family in families]
    assert len(names) == len(set(names)), f"a metric is there twice: {names}"
    kinds = {family.name: family.type for family in families}
    for name, kind in WANTED.items():
        assert kinds.get(name) == kind, f"{name} is {kinds.get(name)}, not a {kind}"
    by_name = {family.name: family for family in families}
    seen = collections.Counter()
    for family in families:
        assert family.documentation, f"{family.name} is not described"
        for sample in family.samples:
            key = (sample.name, tuple(sorted(sample.labels.items())))
            seen[key] += 1
            assert seen[key] == 1, f"{key} is there twice"
    requests = by_name["diglot_requests"].samples
    for sample in requests:
        assert set(sample.labels) == {"route", "form", "status", "coding", "agent"}, sample
        for label, values in CLOSED.items():
            assert sample.labels[label] in values, sample
    assert sum(sample.value for sample in requests) == expected, requests
    buckets = [s for s in by_name["diglot_request_seconds"].samples if s.name.endswith("_bucket")]
    values = [sample.value for sample in sorted(buckets, key=lambda sample: float(sample.labels["le"]))]
    assert values == sorted(values) and values[-1] == expected, buckets
    print(f"{len(families)} metrics, {sum(seen.values())} samples")


main()
