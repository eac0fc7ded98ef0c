"""The report of what was found out about a call."""
from .messages import fitting, shorten

MAX_NAMES = 50
MAX_NAME = 100
MAX_TEXT = 2_000
MAX_TURNS = 100
MAX_SEQUENCE = 2**53 - 1


def analysis_report(fields, opt_out, criteria):
    """The body of the report, with texts that fit. Raises TypeError or ValueError for what the server would refuse."""
    _check_names(fields, "fields")
    for name, value in fields.items():
        if not (value is None or isinstance(value, (bool, int, float, str))):
            raise TypeError(f"The field {name!r} is a {type(value).__name__}; it may be a bool, a number, a str or None.")
        if isinstance(value, str) and len(value) > MAX_TEXT:
            raise ValueError(f"The field {name!r} is too long: a text has at most {MAX_TEXT:,} characters.")
    if criteria is not None:
        _check_names(criteria, "criteria")
        for name, answer in criteria.items():
            _check_criterion(name, answer)

    def make(share):
        body = {"fields": {name: _fit(value, share) for name, value in fields.items()}, "opt_out": bool(opt_out)}
        if criteria is not None:
            body["criteria"] = {name: _fit_criterion(answer, share) for name, answer in criteria.items()}
        return body

    return fitting(make)


def _check_names(named, what):
    if not isinstance(named, dict):
        raise TypeError(f"The {what} of an analysis must be a dict, not {type(named).__name__}.")
    if len(named) > MAX_NAMES:
        raise ValueError(f"An analysis has at most {MAX_NAMES} {what}, not {len(named)}.")
    for name in named:
        if len(name) > MAX_NAME:
            raise ValueError(f"The name {name[:MAX_NAME]!r} in the {what} is too long: it has at most {MAX_NAME} characters.")


def _check_criterion(name, answer):
    if not isinstance(answer, dict):
        raise TypeError(f"The criterion {name!r} is a {type(answer).__name__}; it must be a dict.")
    if "pass" not in answer or not (answer["pass"] is None or isinstance(answer["pass"], bool)):
        raise TypeError(f"The criterion {name!r} must have a pass that is True, False or None.")
    if not isinstance(answer.get("reason", ""), str):
        raise TypeError(f"The reason of the criterion {name!r} must be a str, not {type(answer['reason']).__name__}.")
    turns = answer.get("turns", [])
    if not isinstance(turns, (list, tuple)) or not all(map(_is_sequence, turns)):
        raise TypeError(f"The turns of the criterion {name!r} must be a list of sequences of turns.")
    if len(turns) > MAX_TURNS:
        raise ValueError(f"The criterion {name!r} has {len(turns)} turns; it may have {MAX_TURNS}.")


def _is_sequence(turn):
    return isinstance(turn, int) and not isinstance(turn, bool) and 0 <= turn <= MAX_SEQUENCE


def _fit(value, share):
    return shorten(value, int(MAX_TEXT * share)) if isinstance(value, str) else value


def _fit_criterion(answer, share):
    """Many turns of many criteria are too large also without texts."""
    fitted = {"pass": answer["pass"]}
    if "turns" in answer:
        fitted["turns"] = list(answer["turns"][:max(1, int(MAX_TURNS * share))])
    if "reason" in answer:
        fitted["reason"] = _fit(answer["reason"], share)
    return fitted
