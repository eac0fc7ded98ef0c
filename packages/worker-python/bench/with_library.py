from parley_worker import Worker
from usage import report_usage

worker = Worker()


@worker.call
def talk(call):
    call.connected()
    for turn in range(10):
        call.turn("agent", f"{call.start['greeting']} {turn}")
        call.wait(2)
    return {"reason": "agent_hangup", "by": "agent", "summary": "Done."}


worker.on("state", lambda state: state == "running" and report_usage())
worker.run()
