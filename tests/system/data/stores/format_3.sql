PRAGMA application_id = 1115255396;
PRAGMA user_version = 3;
BEGIN;
CREATE TABLE tournament(
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO tournament VALUES('digest','643d5437104296e21d906ecb15b2c96ad278f20cfc4af53b12bb6069bd853726');
INSERT INTO tournament VALUES('directory','/');
INSERT INTO tournament VALUES('file',replace('game = "scotland-yard"\nrules = "grid-5x5-2"\nformat = "round-robin"\nblocks = 4\n\n[run]\nconcurrency = 1\nreplays = false\n\n[time]\nmove_ms = 30000\n\n[gate]\nagainst = ["random:seed=9"]\nblocks = 1\nscore = 0.0\n\n[[bot]]\nname = "anna"\nteam = "7b"\ncommand = "random:seed=1"\n\n[[bot]]\nname = "ben"\ncommand = "greedy:seed=2"\n\n[[bot]]\nname = "carl"\ncommand = "random:seed=3"\n\n[[bot]]\nname = "dora"\ncommand = "sh -c ''exit 3''"\n','\n',char(10)));
INSERT INTO tournament VALUES('game','scotland-yard');
INSERT INTO tournament VALUES('name','secret');
INSERT INTO tournament VALUES('secret','b7da39fe34a0415f9a32afb3afbbcc84c4c8d74e5d95e2c381175d7460ac63e8');
INSERT INTO tournament VALUES('secret_sha256','5e28f7db4567c8f96db2a28661f7891cafb507ef1f791e25ee3162e3897d2c3c');
INSERT INTO tournament VALUES('tag','144825cc085fe8e1');
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
INSERT INTO bots VALUES(0,'anna','7b','0.1.0','',1,NULL);
INSERT INTO bots VALUES(1,'ben','','0.1.0','',1,NULL);
INSERT INTO bots VALUES(2,'carl','','0.1.0','',1,NULL);
INSERT INTO bots VALUES(3,'dora','','','',0,'it could not be started: start_failed: no hello: expected an answer, but the program exited with code 3');
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
INSERT INTO games VALUES(0,1,0,-3125664942551165873,'[0,1]','[0,1]','[2,1]',9,'[[3,108,61,127],[6,176,89,194]]',NULL,0,1);
INSERT INTO games VALUES(0,1,1,-4508760310200088364,'[1,0]','[1,0]','[1,2]',45,'[[15,6431,5944,611],[30,12426,7867,699]]',NULL,0,1);
INSERT INTO games VALUES(0,2,0,5243230355522396575,'[1,2]','[1,0]','[1,2]',45,'[[15,526,102,533],[30,4519,3995,544]]',NULL,0,1);
INSERT INTO games VALUES(0,2,1,-6336908089147415710,'[2,1]','[0,1]','[2,1]',21,'[[7,7982,7869,175],[14,353,86,394]]',NULL,0,1);
INSERT INTO games VALUES(0,3,0,8639956004017860460,'[0,2]','[1,0]','[1,2]',45,'[[15,187,31,220],[30,346,28,438]]',NULL,0,1);
INSERT INTO games VALUES(0,3,1,9222784807737574354,'[2,0]','[1,0]','[1,2]',45,'[[15,8135,5810,444],[30,645,149,554]]',NULL,0,1);
INSERT INTO games VALUES(0,4,0,5124652641780895517,'[0,1]','[0,1]','[2,1]',4,'[[2,81,44,69],[2,105,81,88]]',NULL,0,1);
INSERT INTO games VALUES(0,4,1,-243988340304443808,'[1,0]','[1,0]','[1,2]',45,'[[15,456,50,420],[30,439,45,474]]',NULL,0,1);
INSERT INTO games VALUES(0,5,0,840383869133936039,'[1,2]','[1,0]','[1,2]',45,'[[15,35776,31863,641],[30,1149,409,615]]',NULL,0,1);
INSERT INTO games VALUES(0,5,1,1715954769933682610,'[2,1]','[0,1]','[2,1]',22,'[[8,20238,11952,430],[14,19127,8979,807]]',NULL,0,1);
INSERT INTO games VALUES(0,6,0,5255229074597443700,'[0,2]','[0,1]','[2,1]',3,'[[1,32,32,22],[2,34,22,37]]',NULL,0,1);
INSERT INTO games VALUES(0,7,0,-9154114610810345347,'[0,1]','[0,1]','[2,1]',4,'[[2,16015,15963,149],[2,9356,7663,248]]',NULL,0,1);
INSERT INTO games VALUES(0,8,0,5051937444612262466,'[1,2]','[0,1]','[2,1]',33,'[[11,1219,1039,274],[22,267,34,316]]',NULL,0,1);
INSERT INTO games VALUES(1,2,0,1085791872568842587,'[1,2]','[0,1]','[2,1]',15,'[[5,274,98,311],[10,158,36,192]]',NULL,0,1);
INSERT INTO games VALUES(1,2,1,4990106920518480975,'[2,1]','[0,1]','[2,1]',27,'[[9,8023,7812,269],[18,12339,5804,755]]',NULL,0,1);
INSERT INTO games VALUES(1,3,0,-758744603930260019,'[0,2]','[1,0]','[1,2]',45,'[[15,220,33,245],[30,689,48,801]]',NULL,0,1);
INSERT INTO games VALUES(1,3,1,8364897911917190710,'[2,0]','[0,1]','[2,1]',29,'[[10,9779,4298,382],[19,27579,6286,732]]',NULL,0,1);
INSERT INTO games VALUES(1,5,0,7240718893334668639,'[1,2]','[1,0]','[1,2]',45,'[[15,2268,1889,496],[30,4393,3965,554]]',NULL,0,1);
INSERT INTO games VALUES(1,5,1,-1202675326519433108,'[2,1]','[0,1]','[2,1]',10,'[[4,2559,2494,107],[6,189,81,207]]',NULL,0,1);
INSERT INTO games VALUES(1,6,0,5407060617730461756,'[0,2]','[0,1]','[2,1]',33,'[[11,3132,2913,290],[22,373,31,441]]',NULL,0,1);
INSERT INTO games VALUES(1,6,1,-4412434169679816188,'[2,0]','[0,1]','[2,1]',13,'[[5,9423,9345,128],[8,10380,6424,193]]',NULL,0,1);
INSERT INTO games VALUES(1,8,0,5591390081154428750,'[1,2]','[1,0]','[1,2]',45,'[[15,34555,7866,944],[30,19468,6765,822]]',NULL,0,1);
INSERT INTO games VALUES(1,8,1,1957488759454128332,'[2,1]','[0,1]','[2,1]',23,'[[8,132,26,138],[15,388,69,365]]',NULL,0,1);
CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
INSERT INTO audit VALUES(1,1795538662,'began','botyard 0.1.0');
INSERT INTO audit VALUES(2,1795538662,'judging anew','generation 1: 10 games: carl''s author asked');
INSERT INTO audit VALUES(3,1795538662,'taken over','generation 1');
CREATE TABLE generations(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL
    );
INSERT INTO generations VALUES(1,1795538662,'carl''s author asked','applied');
CREATE TABLE judged_anew(
        generation INTEGER NOT NULL,
        block INTEGER NOT NULL,
        rotation INTEGER NOT NULL,
        PRIMARY KEY (generation, block, rotation)
    ) WITHOUT ROWID;
INSERT INTO judged_anew VALUES(1,2,0);
INSERT INTO judged_anew VALUES(1,2,1);
INSERT INTO judged_anew VALUES(1,3,0);
INSERT INTO judged_anew VALUES(1,3,1);
INSERT INTO judged_anew VALUES(1,5,0);
INSERT INTO judged_anew VALUES(1,5,1);
INSERT INTO judged_anew VALUES(1,6,0);
INSERT INTO judged_anew VALUES(1,6,1);
INSERT INTO judged_anew VALUES(1,8,0);
INSERT INTO judged_anew VALUES(1,8,1);
COMMIT;
