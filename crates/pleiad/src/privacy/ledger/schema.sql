-- The ledger's tables. Amounts are exact rationals in text: they are added and compared by Pleiad, inside the
-- transaction that books. The columns in units (10^-12; costs rounded down, totals rounded up) are for the triggers
-- alone. They never refuse what fits, and they refuse, whoever writes, what certainly does not.

CREATE TABLE population (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    neighbours TEXT NOT NULL CHECK (neighbours IN ('add_remove', 'replace')),
    measure TEXT NOT NULL CHECK (measure IN ('pure', 'concentrated')),
    total TEXT NOT NULL,
    total_units INTEGER NOT NULL CHECK (total_units >= 0),
    delta TEXT CHECK ((delta IS NULL) = (measure = 'pure')),
    declared_at TEXT NOT NULL
) STRICT;

CREATE TABLE entry (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    population INTEGER NOT NULL REFERENCES population (id),
    method TEXT NOT NULL,
    note TEXT NOT NULL,
    measure TEXT NOT NULL CHECK (measure IN ('pure', 'concentrated')),
    amount TEXT NOT NULL,
    cost TEXT NOT NULL,
    cost_units INTEGER NOT NULL CHECK (cost_units >= 0),
    state TEXT NOT NULL CHECK (state IN ('booked', 'published', 'broken_off', 'looked')),
    booked_at TEXT NOT NULL,
    closed_at TEXT,
    CHECK (state <> 'looked' OR (cost = '0' AND cost_units = 0))
) STRICT;

CREATE INDEX entry_of_population ON entry (population, cost);

CREATE TABLE data_file (
    hash TEXT NOT NULL,
    population INTEGER NOT NULL REFERENCES population (id),
    PRIMARY KEY (hash, population)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER nothing_is_overspent BEFORE INSERT ON entry
WHEN NEW.cost_units + (SELECT coalesce(sum(cost_units), 0) FROM entry WHERE population = NEW.population)
    > (SELECT total_units FROM population WHERE id = NEW.population)
BEGIN SELECT raise(ABORT, 'the population has less left than this costs'); END;

CREATE TRIGGER entries_begin_open BEFORE INSERT ON entry
WHEN NEW.state NOT IN ('booked', 'looked') OR EXISTS (SELECT 1 FROM entry WHERE id = NEW.id)
BEGIN SELECT raise(ABORT, 'an entry begins as booked, under a number of its own'); END;

CREATE TRIGGER entries_only_close BEFORE UPDATE ON entry
WHEN OLD.state <> 'booked' OR NEW.state NOT IN ('published', 'broken_off')
    OR NEW.id <> OLD.id OR NEW.population <> OLD.population OR NEW.method <> OLD.method
    OR NEW.measure <> OLD.measure OR NEW.amount <> OLD.amount
    OR NEW.cost <> OLD.cost OR NEW.cost_units <> OLD.cost_units OR NEW.booked_at <> OLD.booked_at
BEGIN SELECT raise(ABORT, 'what is booked stays booked: an entry can be closed, once, and not changed'); END;

CREATE TRIGGER entries_stay BEFORE DELETE ON entry
BEGIN SELECT raise(ABORT, 'what is booked stays booked'); END;

CREATE TRIGGER totals_stay BEFORE UPDATE ON population
BEGIN SELECT raise(ABORT, 'the total of a population is declared once'); END;

CREATE TRIGGER populations_are_new BEFORE INSERT ON population
WHEN EXISTS (SELECT 1 FROM population WHERE id = NEW.id OR name = NEW.name)
BEGIN SELECT raise(ABORT, 'the total of a population is declared once'); END;

CREATE TRIGGER populations_stay BEFORE DELETE ON population
BEGIN SELECT raise(ABORT, 'the total of a population is declared once'); END;
