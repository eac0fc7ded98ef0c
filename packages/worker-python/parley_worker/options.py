"""Options of a worker that come from its program or the environment."""
from .errors import WorkerError


def number_option(name, given, environment, default, minimum, maximum, whole=False):
    value = given if given is not None else environment or default
    try:
        number = None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        number = None
    # No comparison with nan is true.
    if number is None or not minimum <= number <= maximum or (whole and number != int(number)):
        kind = "a whole number" if whole else "a number"
        raise WorkerError(f"{name} must be {kind} from {minimum} to {maximum}, not {value!r}.")
    return int(number) if whole else number
