import { v7 } from "uuid";
import { expect, test } from "vitest";
import { chooseReplica, countRequest, type Replica } from "./choose-replica";

const givenReplicas = (count: number): Replica[] =>
  Array.from({ length: count }, () => ({ id: v7(), origin: `http://${v7()}` }));

// Guarantee: a replica that hangs or is slow gets no more requests than it answers.
test("the replica with the fewest requests in progress is called", () => {
  const [one, two, three] = givenReplicas(3);
  if (one === undefined || two === undefined || three === undefined) throw new Error("no replicas");
  const ends = [countRequest(one), countRequest(one), countRequest(two)];
  countRequest(three)();
  expect(chooseReplica([one, two, three])).toBe(three);
  expect(chooseReplica([one, two])).toBe(two);
  for (const end of ends) end();
  expect(chooseReplica([three, two, one])).toBe(one);
});

test("replicas with equally many take turns, and none is called if there is none", () => {
  const replicas = givenReplicas(3);
  const called = Array.from({ length: 9 }, () => {
    const chosen = chooseReplica(replicas);
    if (chosen !== undefined) countRequest(chosen)();
    return replicas.findIndex((replica) => replica === chosen);
  });
  expect(called).toEqual([0, 1, 2, 0, 1, 2, 0, 1, 2]);
  expect(chooseReplica([])).toBeUndefined();
});
