PRAGMA application_id = 1115255396;
PRAGMA user_version = 5;
BEGIN;
CREATE TABLE tournament(
        key TEXT PRIMARY KEY,
        value TEXT NOT NULL
    ) WITHOUT ROWID;
INSERT INTO tournament VALUES('digest','643d5437104296e21d906ecb15b2c96ad278f20cfc4af53b12bb6069bd853726');
INSERT INTO tournament VALUES('directory','/');
INSERT INTO tournament VALUES('file',replace('game = "scotland-yard"\nrules = "grid-5x5-2"\nformat = "round-robin"\nblocks = 4\nseed = 5\nname = "cup"\n\n[run]\nconcurrency = 1\nreplays = false\n\n[time]\nmove_ms = 30000\n\n[gate]\nagainst = ["random:seed=9"]\nblocks = 1\nscore = 0.0\n\n[[bot]]\nname = "anna"\nteam = "7b"\ncommand = "random:seed=1"\n\n[[bot]]\nname = "ben"\ncommand = "greedy:seed=2"\n\n[[bot]]\nname = "carl"\ncommand = "random:seed=3"\n\n[[bot]]\nname = "dora"\ncommand = "sh -c ''exit 3''"\n','\n',char(10)));
INSERT INTO tournament VALUES('game','scotland-yard');
INSERT INTO tournament VALUES('kept','{"path":"/five.toml","rules":[],"openings":[],"bots":[{"entry":"anna","bundle":{"args":[],"digest":"dfe53e6494bf1abfc7b568cde8e138a83f25b8727a399c2c996879ec67faf9ce","files":null,"options":{"seed":[{"text":"1"}]},"program":{"built_in":"random"},"runs_in":null,"source":"command_line"}},{"entry":"ben","bundle":{"args":[],"digest":"09c3978f9de1563d8af9b8f0f506f56b672ccf51c7b60c75f39343fc086e4405","files":null,"options":{"seed":[{"text":"2"}]},"program":{"built_in":"greedy"},"runs_in":null,"source":"command_line"}},{"entry":"carl","bundle":{"args":[],"digest":"213782bdf654b85c44f7297de07e5fcf7976338d8a7e6e0ec3a9cd225ad1a582","files":null,"options":{"seed":[{"text":"3"}]},"program":{"built_in":"random"},"runs_in":null,"source":"command_line"}}],"gate":[{"entry":"random:seed=9","bundle":{"args":[],"digest":"67bf74654a599074c8fd3ed9ad6a31b2aef4edb5c56ba4c8d229e7fb41841cae","files":null,"options":{"seed":[{"text":"9"}]},"program":{"built_in":"random"},"runs_in":null,"source":"command_line"}}],"stages":[{"bots":[0,1,2],"challengers":[],"blocks":4}]}');
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
INSERT INTO bots VALUES(0,'anna','7b','0.1.0','dfe53e6494bf1abfc7b568cde8e138a83f25b8727a399c2c996879ec67faf9ce',1,NULL);
INSERT INTO bots VALUES(1,'ben','','0.1.0','09c3978f9de1563d8af9b8f0f506f56b672ccf51c7b60c75f39343fc086e4405',1,NULL);
INSERT INTO bots VALUES(2,'carl','','0.1.0','213782bdf654b85c44f7297de07e5fcf7976338d8a7e6e0ec3a9cd225ad1a582',1,NULL);
INSERT INTO bots VALUES(3,'dora','','','0177b135716e735c4b8acc139d24cb07f40302939a6a880fee91f3e3aa4a0f20',0,'it could not be started: start_failed: no hello: expected an answer to "hello", but the program exited with code 3');
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
INSERT INTO games VALUES(0,1,0,-2158702504588713545,'[0,1]','[0,1]','[2,1]',12,'[[4,101,61,115],[8,218,100,236]]',NULL,0,1,-1780546217539799630);
INSERT INTO games VALUES(0,1,1,-1766855964044239907,'[1,0]','[1,0]','[1,2]',45,'[[15,506,74,549],[30,4283,3846,582]]',NULL,0,1,-7689601874201466919);
INSERT INTO games VALUES(0,2,0,5908440700195384916,'[1,2]','[1,0]','[1,2]',45,'[[15,829,309,641],[30,13794,8567,763]]',NULL,0,1,1641479298159034714);
INSERT INTO games VALUES(0,2,1,8908337847639019317,'[2,1]','[0,1]','[2,1]',23,'[[8,4137,3984,250],[15,4484,4039,605]]',NULL,0,1,-1965272152799891137);
INSERT INTO games VALUES(0,3,0,1994753341980666646,'[0,2]','[0,1]','[2,1]',33,'[[11,7776,3898,345],[22,433,64,498]]',NULL,0,1,3206971744858537625);
INSERT INTO games VALUES(0,3,1,5077751624365197137,'[2,0]','[0,1]','[2,1]',9,'[[3,3691,3647,137],[6,4049,3930,195]]',NULL,0,1,-7680598432313759519);
INSERT INTO games VALUES(0,4,0,95224002809379295,'[0,1]','[0,1]','[2,1]',15,'[[5,128,46,144],[10,257,67,280]]',NULL,0,1,-4976522680099604825);
INSERT INTO games VALUES(0,4,1,4786272652008342586,'[1,0]','[1,0]','[1,2]',45,'[[15,5274,3895,827],[30,671,70,773]]',NULL,0,1,-5749151475392841361);
INSERT INTO games VALUES(0,5,0,-1811871042093609827,'[1,2]','[1,0]','[1,2]',45,'[[15,572,118,604],[30,12368,7948,692]]',NULL,0,1,1099158271540941501);
INSERT INTO games VALUES(0,5,1,-451786852625579219,'[2,1]','[0,1]','[2,1]',10,'[[4,8027,7949,157],[6,173,90,193]]',NULL,0,1,7436892932526853264);
INSERT INTO games VALUES(0,6,0,-549622313859287703,'[0,2]','[0,1]','[2,1]',2,'[[1,55,55,25],[1,38,38,45]]',NULL,0,1,7583892342588279803);
INSERT INTO games VALUES(0,7,0,-3757512234424701984,'[0,1]','[0,1]','[2,1]',11,'[[4,87,51,101],[7,179,78,195]]',NULL,0,1,-3763195155848090300);
INSERT INTO games VALUES(0,8,0,-3141233887519876796,'[1,2]','[1,0]','[1,2]',45,'[[15,12329,7922,779],[30,19972,7892,743]]',NULL,0,1,4424410474928267785);
INSERT INTO games VALUES(1,2,0,-3869955004350728852,'[1,2]','[1,0]','[1,2]',45,'[[15,347,65,379],[30,363,24,426]]',NULL,0,1,-5929130949674162150);
INSERT INTO games VALUES(1,2,1,2082265388961019508,'[2,1]','[0,1]','[2,1]',8,'[[3,46,21,52],[5,119,51,131]]',NULL,0,1,1791984152315844833);
INSERT INTO games VALUES(1,3,0,-1542784804679913324,'[0,2]','[0,1]','[2,1]',18,'[[6,79,23,92],[12,135,17,160]]',NULL,0,1,361364576779492481);
INSERT INTO games VALUES(1,3,1,1288053499756137662,'[2,0]','[0,1]','[2,1]',45,'[[15,20068,7974,493],[30,17925,7878,741]]',NULL,0,1,3381152500148575385);
INSERT INTO games VALUES(1,5,0,737222951690362904,'[1,2]','[0,1]','[2,1]',32,'[[11,25950,12869,1258],[21,108177,19940,1383]]',NULL,0,1,-6826123182669516654);
INSERT INTO games VALUES(1,5,1,1202068650120389376,'[2,1]','[0,1]','[2,1]',10,'[[4,20441,7857,321],[6,18473,11744,769]]',NULL,0,1,-7327317799576171262);
INSERT INTO games VALUES(1,6,0,8479833970806584351,'[0,2]','[1,0]','[1,2]',45,'[[15,27766,11754,535],[30,644,61,709]]',NULL,0,1,5349288039227293931);
INSERT INTO games VALUES(1,6,1,3659481811465332781,'[2,0]','[0,1]','[2,1]',2,'[[1,11920,11920,63],[1,19868,19868,86]]',NULL,0,1,-1037980322315274535);
INSERT INTO games VALUES(1,8,0,653155966160012021,'[1,2]','[1,0]','[1,2]',45,'[[15,8376,7897,657],[30,8419,7965,595]]',NULL,0,1,-1748575968474702559);
INSERT INTO games VALUES(1,8,1,1262549245272465036,'[2,1]','[0,1]','[2,1]',6,'[[2,58,30,44],[4,216,91,188]]',NULL,0,1,4925649072463373899);
CREATE TABLE audit(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        what TEXT NOT NULL,
        detail TEXT NOT NULL
    );
INSERT INTO audit VALUES(1,1795538550,'began','botyard 0.1.0');
INSERT INTO audit VALUES(2,1795538552,'rejudging','generation 1: 10 games: carl''s author asked');
INSERT INTO audit VALUES(3,1795538553,'new results applied','generation 1');
CREATE TABLE generations(
        number INTEGER PRIMARY KEY,
        at INTEGER NOT NULL,
        reason TEXT NOT NULL,
        state TEXT NOT NULL
    );
INSERT INTO generations VALUES(1,1795538551,'carl''s author asked','applied');
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
INSERT INTO seals VALUES('definition','-7014465420296377477');
INSERT INTO seals VALUES('games 0','13 -8212082923593538999');
INSERT INTO seals VALUES('games 1','10 -7059689881775246631');
INSERT INTO seals VALUES('generations','-8235946425488318190');
COMMIT;
