"""An agent runtime for Parley, without telephony: python3 examples/worker.py [--incoming +15557654321 +15551234567]"""
import logging, os, sys, threading
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../packages/worker-python"))  # or install it
from parley_worker import IncomingRefused, Worker

logging.basicConfig(level=logging.WARNING)
worker = Worker(name="worker.py", version="1", prefix=os.environ.get("PARLEY_PREFIX"), handle_signals=True)
exit_code = 0

@worker.call
def talk(call):
    print("Answering" if call.direction == "inbound" else "Dialling", call.start["to_number"], "as",
          call.start["agent"]["name"], flush=True)  # your telephony goes here
    call.connected()
    lines = [call.start["greeting"], f"Is this {call.start['customer_name'] or 'a good moment'}?", "Thank you. Goodbye!"]
    for line in lines:
        print(f"  {line}", flush=True)
        call.turn("agent", line)
        if call.wait(0.2):  # the agent speaks; True at once after a hang-up
            break
    call.analyzed({"lines": len(lines)})
    return {"outcome": "completed", "summary": f"The agent opened with “{lines[0][:500]}”."}

def answer(to_number, from_number=""):
    try:
        worker.incoming(to_number, from_number)
    except IncomingRefused as refused:
        globals().update(exit_code=print(f"Refused: {refused.reason}", flush=True) or 1)
    worker.stop()

if sys.argv[1:2] == ["--incoming"]:
    threading.Thread(target=answer, args=sys.argv[2:4]).start()
worker.run()
sys.exit(exit_code)
