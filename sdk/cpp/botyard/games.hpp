// All games that the kit knows. A bot that includes this plays each of them without a list of legal actions.
#pragma once

#include "connect_four.hpp"
#include "dice_wars.hpp"
#include "draughts.hpp"
#include "liars_dice.hpp"
#include "scotland_yard.hpp"
