"""An agent runtime for Parley, without telephony: python3 examples/worker.py [--incoming +15557654321 +15551234567]"""
import concurrent.futures, os, sys
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../packages/worker-python"))  # or install it
from parley_worker import Worker

worker = Worker(name="worker.py", version="1", prefix=os.environ.get("PARLEY_PREFIX"), handle_signals=True)

@worker.call
def talk(call):  # your telephony and your agent go here
    greeting, name = call.start["greeting"], call.start["customer_name"]
    print("Dialling" if call.direction == "outbound" else "Answering", call.start["to_number"], "as", call.start["agent"]["name"])
    call.connected()
    for line in (greeting, f"Is this {name or 'a good moment'}?", "Thank you. Goodbye!"):
        print(f"  {line}", flush=True)
        call.turn("agent", line)
        if call.wait(0.2):  # True at once after a hang-up
            break
    return {"outcome": "completed", "summary": f"The agent opened with “{greeting[:500]}”."}

if is_incoming := sys.argv[1:2] == ["--incoming"]:  # a call reached your telephony
    answered = concurrent.futures.ThreadPoolExecutor().submit(worker.incoming, *sys.argv[2:4])
    answered.add_done_callback(lambda _: worker.stop())
worker.run()
sys.exit(f"Refused: {answered.exception()}" if is_incoming and answered.exception() else 0)
