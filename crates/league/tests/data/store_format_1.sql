PRAGMA application_id = 1115255396;
PRAGMA user_version = 1;
BEGIN;
CREATE TABLE tournament(
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO tournament VALUES('directory','/home/class');
INSERT INTO tournament VALUES('file','name = "class"
');
INSERT INTO tournament VALUES('game','draughts');
INSERT INTO tournament VALUES('name','class');
INSERT INTO tournament VALUES('seed','18446744073709551615');
INSERT INTO tournament VALUES('version','0.1.0');
CREATE TABLE bots(
        position INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        team TEXT NOT NULL,
        version TEXT NOT NULL,
        digest TEXT NOT NULL,
        gate_passed INTEGER,
        rejected TEXT
    );
INSERT INTO bots VALUES(0,'anna','7b','1.0','abababababababababababababababababababababababababababababababab',1,NULL);
INSERT INTO bots VALUES(1,'''; DROP TABLE games; --','7b','1.0','abababababababababababababababababababababababababababababababab',NULL,NULL);
INSERT INTO bots VALUES(2,'carl','7b','1.0','abababababababababababababababababababababababababababababababab',0,'it crashed');
CREATE TABLE games(
        generation INTEGER NOT NULL,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL,
        id INTEGER NOT NULL,
        seats TEXT NOT NULL,
        points TEXT,
        places TEXT,
        turns INTEGER NOT NULL,
        uses TEXT NOT NULL,
        faults TEXT,
        replay INTEGER NOT NULL,
        attempts INTEGER NOT NULL,
        PRIMARY KEY (generation, block, rotation)
    ) WITHOUT ROWID;
INSERT INTO games VALUES(0,1,0,1152921504606846976,'[0,1]','[1,0]','[1,2]',61,'[[30,38654705655,9],[30,7,9,5]]','[[1,"illegal_action"],[0,"start_failed"]]',1,1);
INSERT INTO games VALUES(0,1,1,1152921504606846977,'[1,0]',NULL,NULL,61,'[[30,38654705655,9],[30,7,9,5]]','[[1,"illegal_action"],[0,"start_failed"]]',0,1);
CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
INSERT INTO audit VALUES(1,1795318203,'began','botyard 0.1.0');
COMMIT;
