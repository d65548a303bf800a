#!/usr/bin/env python3
"""A day of a farm on paper: films come in, wait for a place, are made; rows, steps, objects and bytes are counted.

Nothing is connected to. Unit costs are those that docs/scale.md and docs/performance.md measured, or counted in the code;
what nobody measured is said to be assumed, here and in what is printed.

  scripts/million.py [--films 1000000] [--places N] [--seed 1]

Without --places the fewest are looked for with which 95 of 100 films wait less than half a minute. Prices are of your
provider: --core-hour, --gigabyte-month, --thousand-puts; those here are assumed.
"""
import argparse
import heapq
import math
import random

DAY = 86_400
#: Measured: a film of 32 s, presenter and title at 1080p30, speech and presenter at hand, takes 6.0 s of two cores.
DRAWING = 6.0 / 32
#: Measured: neural speech, seconds of two cores for one that is spoken.
SPEAKING = 0.18
#: Measured: what the farm adds to a film, and bytes of a film's second.
OVERHEAD, BYTES = 0.23, 1_600_000 / 32
#: Counted: a sign of life in the rows every half second, one to the cluster every two.
BEAT, HEARTBEAT = 0.5, 2.0
#: Counted: rows written for a film besides (project, export, two of the ledger, a webhook), and changes of its state.
ROWS, CHANGES = 5, 6
#: Counted: events of a workflow that has one turn. Assumed: what one takes.
EVENTS, EVENT = 11, 400
#: Counted: film, poster, two captions. What is watched: of each piece of 250 frames two fragments and two lists, the same
#: of each second of the first piece, and once two heads and a list of both.
FILES, PIECE, SHOWN, ONCE = 4, 250 / 30, 4, 3
#: Counted: what nodes keep for each other: pieces, stretches of sound of 30 s, a poster, and of one that is spoken its sentences,
#: of four seconds each (assumed), with two bytes for each of 48,000 samples.
STRETCH, SENTENCE, SPEECH = 30, 4, 96_000
#: Assumed: half of the films have 30 s and less, as logarithms are spread; eight of ten are spoken anew.
MEDIAN, SPREAD, SPOKEN = 30, 0.8, 0.8
#: Assumed: at the busiest hour twice the mean.
SWING = 1.0
CORES, PATIENCE = 2, 30


class Day:
    """When films come and how long each is, the same for every number of places."""

    def __init__(self, films, dice):
        self.times = sorted(self.moment(dice) for _ in range(films))
        self.lengths = [dice.lognormvariate(math.log(MEDIAN), SPREAD) for _ in self.times]
        self.spoken = [dice.random() < SPOKEN for _ in self.times]
        self.work = [OVERHEAD + length * (DRAWING + (SPEAKING if spoken else 0))
                     for length, spoken in zip(self.lengths, self.spoken)]

    @staticmethod
    def moment(dice):
        while True:
            at = dice.random()
            if dice.random() * (1 + SWING) < 1 - SWING * math.cos(2 * math.pi * at):
                return at * DAY

    def waits(self, places):
        """Seconds that each film waits, in order of coming."""
        free, waits = [0.0] * places, []
        for at, work in zip(self.times, self.work):
            begun = max(at, free[0])
            heapq.heapreplace(free, begun + work)
            waits.append(begun - at)
        return sorted(waits)

    def fewest(self):
        low, high = 0, 1
        while not self.bears(high):
            low, high = high, high * 2
        while high - low > max(1, high // 100):
            middle = (low + high) // 2
            low, high = (low, middle) if self.bears(middle) else (middle, high)
        return high

    def bears(self, places):
        return part(self.waits(places), 0.95) < PATIENCE


def part(values, of):
    return values[min(len(values) - 1, int(len(values) * of))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--films", type=int, default=1_000_000)
    parser.add_argument("--places", type=int, help="films made at once, each with two cores")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core-hour", type=float, default=0.04)
    parser.add_argument("--gigabyte-month", type=float, default=0.023)
    parser.add_argument("--thousand-puts", type=float, default=0.005)
    asked = parser.parse_args()
    if asked.films < 1 or (asked.places is not None and asked.places < 1):
        parser.error("--films and --places are numbers above 0")
    day = Day(asked.films, random.Random(asked.seed))
    places = asked.places or day.fewest()
    waits, films = day.waits(places), asked.films
    work, seconds = sum(day.work), sum(day.lengths)
    shown = sum(math.ceil(length / PIECE) + math.ceil(min(length, PIECE)) for length in day.lengths)
    objects = films * (FILES + ONCE) + shown * SHOWN
    spoken = [length for length, spoken in zip(day.lengths, day.spoken) if spoken]
    shared = sum(math.ceil(length / PIECE) + math.ceil(length / STRETCH) + 1 for length in day.lengths)
    shared += sum(math.ceil(length / SENTENCE) for length in spoken)
    bulk = seconds * BYTES + sum(spoken) * SPEECH
    writes = films * (ROWS + CHANGES) + work / BEAT
    kept = seconds * BYTES
    print(f"films a day              {films:>14,}   of {seconds / films:.0f} s, {work / films:.1f} s of {CORES} cores each")
    print(f"places                   {places:>14,}   {places * CORES:,} cores, busy {work / places / DAY:.0%}")
    print(f"waited, half of them     {part(waits, 0.5):>14.1f} s")
    print(f"waited, 95 and 99 of 100 {part(waits, 0.95):>14.1f} s {part(waits, 0.99):.1f} s, the longest {waits[-1]:.1f} s")
    print(f"rows kept of a day       {films * ROWS:>14,}")
    print(f"writes to rows           {writes:>14,.0f}   {writes / DAY:,.0f} a second, {work / BEAT / writes:.0%} signs of life")
    print(f"workflow events          {films * EVENTS:>14,}   {films * EVENTS / DAY:,.0f} a second, "
          f"{films * EVENTS * EVENT / 1e9:.1f} GB (assumed {EVENT} B each)")
    print(f"heartbeats               {work / HEARTBEAT:>14,.0f}   {work / HEARTBEAT / DAY:,.0f} a second")
    print(f"objects put              {objects:>14,}   {objects / DAY:,.0f} a second; films {kept / 1e12:.1f} TB, as much "
          "again while they are watched")
    print(f"kept for each other      {shared:>14,}   {shared / DAY:,.0f} a second, of {bulk / 1e12:.2f} TB, where all of it is new")
    cores = places * CORES * 24 * asked.core_hour / films
    store = kept / 1e9 * asked.gigabyte_month / films
    puts = (objects + shared) / 1000 * asked.thousand_puts / films
    print(f"cost of a film           {cores + store + puts:>14.5f}   cores {cores:.5f}, thirty days kept {store:.5f}, "
          f"puts {puts:.5f} (assumed prices)")


if __name__ == "__main__":
    main()
