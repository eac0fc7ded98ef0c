"""What an error of RabbitMQ means to the person who runs the worker."""
import urllib.parse

from pika import exceptions as amqp


def _host(url):
    return urllib.parse.urlsplit(url).hostname or "localhost"


def describe(error, url):
    if isinstance(error, amqp.ChannelClosedByBroker) and error.reply_code == 404:
        return f"RabbitMQ at {_host(url)} has no such queue or exchange yet: {error.reply_text}"
    if isinstance(error, amqp.ChannelClosedByBroker) and error.reply_code == 403:
        return f"RabbitMQ at {_host(url)} refuses it, because a permission is missing: {error.reply_text}."
    if isinstance(error, amqp.AMQPConnectionError):
        # Pika wraps the causes, and the innermost one says what happened.
        while error.args and isinstance(error.args[0], BaseException):
            error = error.args[0]
        error = getattr(error, "exceptions", [error])[-1]
    return f"RabbitMQ at {_host(url)} cannot be used: {error!r}"


def permanent_refusal(error, url):
    """A sentence for what does not pass by itself, or None."""
    causes, cause = [], error
    while isinstance(cause, BaseException) and cause not in causes:
        causes.append(cause)
        inner = getattr(cause, "exceptions", None) or getattr(cause, "args", None) or [None]
        cause = inner[-1] if isinstance(inner[-1], BaseException) else inner[0]
    for cause in causes:
        text = str(getattr(cause, "reply_text", "") or cause)
        user = urllib.parse.urlsplit(url).username or "guest"
        if isinstance(cause, (amqp.ProbableAuthenticationError, amqp.AuthenticationError)) or (
                isinstance(cause, amqp.ConnectionClosedByBroker) and cause.reply_code == 403):
            return f"RabbitMQ at {_host(url)} refuses the user name or the password of {user}."
        if isinstance(cause, amqp.ProbableAccessDeniedError) or (
                isinstance(cause, amqp.ConnectionClosedByBroker) and cause.reply_code == 530):
            vhost = urllib.parse.unquote(urllib.parse.urlsplit(url).path[1:]) or "/"
            return f"RabbitMQ at {_host(url)} has no virtual host {vhost}, or {user} may not use it."
        if isinstance(cause, amqp.ChannelClosedByBroker) and cause.reply_code == 403:
            return f"The user {user} of RabbitMQ at {_host(url)} lacks a permission: {text}"
    return None
