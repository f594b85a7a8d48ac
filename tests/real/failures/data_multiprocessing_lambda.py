# causes: data.pickle_spawn
# needs:
import multiprocessing

if __name__ == "__main__":
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        pool.map(lambda row: row + 1, range(4))
