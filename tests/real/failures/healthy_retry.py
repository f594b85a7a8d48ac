# causes: none
# needs:
import logging

logging.basicConfig(format="%(asctime)s [%(levelname)s] %(message)s", level=logging.INFO)
state = {"tries": 0}


def fetch():
    state["tries"] += 1
    if state["tries"] < 3:
        raise ConnectionError("connection reset by peer")
    return "shard-0003.tar"


for attempt in range(5):
    try:
        name = fetch()
        break
    except ConnectionError as error:
        logging.warning("attempt %d failed: %s, retrying in 0 s", attempt + 1, error)
logging.info("downloaded %s, continuing", name)
logging.info("step 100 loss 0.4312")
logging.info("finished successfully")
