PRAGMA application_id = 1115255396;
PRAGMA user_version = 2;
BEGIN;
CREATE TABLE tournament(
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO tournament VALUES('digest','643d5437104296e21d906ecb15b2c96ad278f20cfc4af53b12bb6069bd853726');
INSERT INTO tournament VALUES('directory','/');
INSERT INTO tournament VALUES('file',replace('game = "scotland-yard"\nrules = "grid-5x5-2"\nformat = "round-robin"\nblocks = 4\nseed = 5\n\n[run]\nconcurrency = 1\nreplays = false\n\n[time]\nmove_ms = 30000\n\n[gate]\nagainst = ["random:seed=9"]\nblocks = 1\nscore = 0.0\n\n[[bot]]\nname = "anna"\nteam = "7b"\ncommand = "random:seed=1"\n\n[[bot]]\nname = "ben"\ncommand = "greedy:seed=2"\n\n[[bot]]\nname = "carl"\ncommand = "random:seed=3"\n\n[[bot]]\nname = "dora"\ncommand = "sh -c ''exit 3''"\n','\n',char(10)));
INSERT INTO tournament VALUES('game','scotland-yard');
INSERT INTO tournament VALUES('name','cup');
INSERT INTO tournament VALUES('seed','5');
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
INSERT INTO games VALUES(0,1,0,4793519019039826254,'[0,1]','[0,1]','[2,1]',12,'[[4,2945,2819,214],[8,15937,7902,487]]',NULL,0,1);
INSERT INTO games VALUES(0,1,1,-3207093082554050493,'[1,0]','[1,0]','[1,2]',45,'[[15,4498,3618,844],[30,16101,5417,789]]',NULL,0,1);
INSERT INTO games VALUES(0,2,0,8742274674406689094,'[1,2]','[1,0]','[1,2]',45,'[[15,3043,2484,739],[30,15751,7980,779]]',NULL,0,1);
INSERT INTO games VALUES(0,2,1,4910208047320947805,'[2,1]','[0,1]','[2,1]',23,'[[8,143,26,126],[15,371,69,348]]',NULL,0,1);
INSERT INTO games VALUES(0,3,0,5144691818365949215,'[0,2]','[0,1]','[2,1]',33,'[[11,10643,7875,327],[22,4437,3291,496]]',NULL,0,1);
INSERT INTO games VALUES(0,3,1,1099342974317563906,'[2,0]','[0,1]','[2,1]',9,'[[3,135,51,112],[6,16061,7981,278]]',NULL,0,1);
INSERT INTO games VALUES(0,4,0,1079546405390782651,'[0,1]','[0,1]','[2,1]',15,'[[5,128,59,148],[10,5735,5444,421]]',NULL,0,1);
INSERT INTO games VALUES(0,4,1,869520663536101923,'[1,0]','[1,0]','[1,2]',45,'[[15,25924,18975,908],[30,761,125,794]]',NULL,0,1);
INSERT INTO games VALUES(0,5,0,-8564204733790647519,'[1,2]','[1,0]','[1,2]',45,'[[15,1639,1313,451],[30,8798,6729,501]]',NULL,0,1);
INSERT INTO games VALUES(0,5,1,8298590332248502060,'[2,1]','[0,1]','[2,1]',10,'[[4,98,32,80],[6,266,133,227]]',NULL,0,1);
INSERT INTO games VALUES(0,6,0,7561883891987401762,'[0,2]','[0,1]','[2,1]',2,'[[1,7700,7700,53],[1,48,48,56]]',NULL,0,1);
INSERT INTO games VALUES(0,7,0,-9190065551975982750,'[0,1]','[0,1]','[2,1]',11,'[[4,18022,11370,283],[7,31297,15464,673]]',NULL,0,1);
INSERT INTO games VALUES(0,8,0,-2649240568352919745,'[1,2]','[1,0]','[1,2]',45,'[[15,579,81,632],[30,9128,4611,674]]',NULL,0,1);
INSERT INTO games VALUES(1,2,0,-5808885557341593996,'[1,2]','[1,0]','[1,2]',45,'[[15,18160,7933,923],[30,40294,12004,903]]',NULL,0,1);
INSERT INTO games VALUES(1,2,1,3644604735970182257,'[2,1]','[0,1]','[2,1]',8,'[[3,19777,15804,202],[5,24008,11990,364]]',NULL,0,1);
INSERT INTO games VALUES(1,3,0,3440317189641769274,'[0,2]','[0,1]','[2,1]',18,'[[6,12028,11899,225],[12,227,51,274]]',NULL,0,1);
INSERT INTO games VALUES(1,3,1,1955799156188700409,'[2,0]','[0,1]','[2,1]',45,'[[15,4205,3984,304],[30,4339,3769,539]]',NULL,0,1);
INSERT INTO games VALUES(1,5,0,-7557940852725316420,'[1,2]','[0,1]','[2,1]',32,'[[11,1307,994,383],[21,357,36,422]]',NULL,0,1);
INSERT INTO games VALUES(1,5,1,-161624477424775910,'[2,1]','[0,1]','[2,1]',10,'[[4,3335,3281,108],[6,185,60,201]]',NULL,0,1);
INSERT INTO games VALUES(1,6,0,-2127549471427481884,'[0,2]','[1,0]','[1,2]',45,'[[15,15202,7963,437],[30,47189,31971,777]]',NULL,0,1);
INSERT INTO games VALUES(1,6,1,-5624282803623916663,'[2,0]','[0,1]','[2,1]',2,'[[1,22,22,24],[1,20,20,22]]',NULL,0,1);
INSERT INTO games VALUES(1,8,0,8213772469989437400,'[1,2]','[1,0]','[1,2]',45,'[[15,12111,7896,563],[30,495,49,544]]',NULL,0,1);
INSERT INTO games VALUES(1,8,1,293972760673307622,'[2,1]','[0,1]','[2,1]',6,'[[2,48,32,43],[4,141,70,114]]',NULL,0,1);
CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
INSERT INTO audit VALUES(1,1795538541,'began','botyard 0.1.0');
INSERT INTO audit VALUES(2,1795538541,'judging anew','generation 1: 10 games: carl''s author asked');
INSERT INTO audit VALUES(3,1795538541,'taken over','generation 1');
CREATE TABLE generations(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL
    );
INSERT INTO generations VALUES(1,1795538541,'carl''s author asked','applied');
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
