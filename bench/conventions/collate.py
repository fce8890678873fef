"""Reads lines of fronts.py and Conventions.java, and prints them in the form of docs/peers.json: by work and input."""

import datetime
import json
import sys


def floats(value):
    """Java writes whole numbers with a point, Python does not: as floats they are equal."""
    if isinstance(value, dict):
        return {k: floats(v) for k, v in value.items()}
    return [floats(v) for v in value] if isinstance(value, list) else float(value)


works = {}
for line in sys.stdin:
    row = json.loads(line)
    key = row["name"] + json.dumps(floats(row["input"]), sort_keys=True)
    entry = works.setdefault(row["work"], {}).setdefault(key, {"name": row["name"], "input": row["input"], "answers": []})
    entry["answers"].append({name: row[name] for name in ("library", "call", "value")})

lines = []
for work, inputs in works.items():
    for entry in inputs.values():
        answers = ",\n".join("    " + json.dumps(a, ensure_ascii=False) for a in entry["answers"])
        head = json.dumps({"work": work, "name": entry["name"], "input": entry["input"]}, ensure_ascii=False)
        lines.append(f'  {head[:-1]}, "answers": [\n{answers}\n  ]}}')
print(f'{{"date": "{datetime.date.today()}", "cases": [\n' + ",\n".join(lines) + "\n]}")
