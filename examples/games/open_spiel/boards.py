"""Pictures of states."""
def picture(game, course, player):
    return "<svg/>"
