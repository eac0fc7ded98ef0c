"""Options of a worker that come from its program or the environment."""
from .errors import WorkerError


def number_option(name, given, environment, default, minimum=0, kind=float):
    value = given if given is not None else environment or default
    try:
        number = kind(value)
    except (TypeError, ValueError):
        number = None
    if number is None or number < minimum:
        raise WorkerError(f"{name} must be a number of at least {minimum}, not {value!r}.")
    return number
