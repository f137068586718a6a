PRAGMA application_id = 1115255396;
PRAGMA user_version = 4;
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
INSERT INTO tournament VALUES('tag','a7d5d7848b68faa3');
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
        attempts INTEGER NOT NULL, checksum INTEGER NOT NULL DEFAULT 0,
        PRIMARY KEY (generation, block, rotation)
    ) WITHOUT ROWID;
INSERT INTO games VALUES(0,1,0,-2158702504588713545,'[0,1]','[0,1]','[2,1]',12,'[[4,2945,2819,214],[8,15937,7902,487]]',NULL,0,1,8255602883203948730);
INSERT INTO games VALUES(0,1,1,-1766855964044239907,'[1,0]','[1,0]','[1,2]',45,'[[15,4498,3618,844],[30,16101,5417,789]]',NULL,0,1,-2416084337013263759);
INSERT INTO games VALUES(0,2,0,5908440700195384916,'[1,2]','[1,0]','[1,2]',45,'[[15,3043,2484,739],[30,15751,7980,779]]',NULL,0,1,385389352057205750);
INSERT INTO games VALUES(0,2,1,8908337847639019317,'[2,1]','[0,1]','[2,1]',23,'[[8,143,26,126],[15,371,69,348]]',NULL,0,1,101478591388111094);
INSERT INTO games VALUES(0,3,0,1994753341980666646,'[0,2]','[0,1]','[2,1]',33,'[[11,10643,7875,327],[22,4437,3291,496]]',NULL,0,1,-1476721160105067766);
INSERT INTO games VALUES(0,3,1,5077751624365197137,'[2,0]','[0,1]','[2,1]',9,'[[3,135,51,112],[6,16061,7981,278]]',NULL,0,1,9210002004836033161);
INSERT INTO games VALUES(0,4,0,95224002809379295,'[0,1]','[0,1]','[2,1]',15,'[[5,128,59,148],[10,5735,5444,421]]',NULL,0,1,-3034220355787052111);
INSERT INTO games VALUES(0,4,1,4786272652008342586,'[1,0]','[1,0]','[1,2]',45,'[[15,25924,18975,908],[30,761,125,794]]',NULL,0,1,6973454548767839800);
INSERT INTO games VALUES(0,5,0,-1811871042093609827,'[1,2]','[1,0]','[1,2]',45,'[[15,1639,1313,451],[30,8798,6729,501]]',NULL,0,1,-6622211950919236177);
INSERT INTO games VALUES(0,5,1,-451786852625579219,'[2,1]','[0,1]','[2,1]',10,'[[4,98,32,80],[6,266,133,227]]',NULL,0,1,-5134367588343553756);
INSERT INTO games VALUES(0,6,0,-549622313859287703,'[0,2]','[0,1]','[2,1]',2,'[[1,7700,7700,53],[1,48,48,56]]',NULL,0,1,6674289229148062794);
INSERT INTO games VALUES(0,7,0,-3757512234424701984,'[0,1]','[0,1]','[2,1]',11,'[[4,18022,11370,283],[7,31297,15464,673]]',NULL,0,1,-3152324003230676962);
INSERT INTO games VALUES(0,8,0,-3141233887519876796,'[1,2]','[1,0]','[1,2]',45,'[[15,579,81,632],[30,9128,4611,674]]',NULL,0,1,3043761297619270237);
INSERT INTO games VALUES(1,2,0,-3869955004350728852,'[1,2]','[1,0]','[1,2]',45,'[[15,18160,7933,923],[30,40294,12004,903]]',NULL,0,1,-3462092663697679894);
INSERT INTO games VALUES(1,2,1,2082265388961019508,'[2,1]','[0,1]','[2,1]',8,'[[3,19777,15804,202],[5,24008,11990,364]]',NULL,0,1,-7422080877656680212);
INSERT INTO games VALUES(1,3,0,-1542784804679913324,'[0,2]','[0,1]','[2,1]',18,'[[6,12028,11899,225],[12,227,51,274]]',NULL,0,1,-8511100099638954589);
INSERT INTO games VALUES(1,3,1,1288053499756137662,'[2,0]','[0,1]','[2,1]',45,'[[15,4205,3984,304],[30,4339,3769,539]]',NULL,0,1,-559040387635074444);
INSERT INTO games VALUES(1,5,0,737222951690362904,'[1,2]','[0,1]','[2,1]',32,'[[11,1307,994,383],[21,357,36,422]]',NULL,0,1,-1107155654607498308);
INSERT INTO games VALUES(1,5,1,1202068650120389376,'[2,1]','[0,1]','[2,1]',10,'[[4,3335,3281,108],[6,185,60,201]]',NULL,0,1,-9099776881182396475);
INSERT INTO games VALUES(1,6,0,8479833970806584351,'[0,2]','[1,0]','[1,2]',45,'[[15,15202,7963,437],[30,47189,31971,777]]',NULL,0,1,154521519656607898);
INSERT INTO games VALUES(1,6,1,3659481811465332781,'[2,0]','[0,1]','[2,1]',2,'[[1,22,22,24],[1,20,20,22]]',NULL,0,1,448510851432295833);
INSERT INTO games VALUES(1,8,0,653155966160012021,'[1,2]','[1,0]','[1,2]',45,'[[15,12111,7896,563],[30,495,49,544]]',NULL,0,1,-7908794076462887929);
INSERT INTO games VALUES(1,8,1,1262549245272465036,'[2,1]','[0,1]','[2,1]',6,'[[2,48,32,43],[4,141,70,114]]',NULL,0,1,2043520402168704663);
CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
INSERT INTO audit VALUES(1,1795538100,'began','botyard 0.1.0');
INSERT INTO audit VALUES(2,1795538110,'rejudging','generation 1: 10 games: carl''s author asked');
INSERT INTO audit VALUES(3,1795538111,'new results applied','generation 1');
CREATE TABLE generations(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL
    );
INSERT INTO generations VALUES(1,1795538110,'carl''s author asked','applied');
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
CREATE TABLE seals(
        name TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO seals VALUES('definition','-3665649276949903408');
INSERT INTO seals VALUES('games 0','13 -5638695562087930581');
INSERT INTO seals VALUES('games 1','10 1470000279795539775');
INSERT INTO seals VALUES('generations','-4953868748936117270');
COMMIT;
