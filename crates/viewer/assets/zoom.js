// The zoom of the board: it scrolls then, and what a position is about stays in sight.

// How large a board of small places is when it is zoomed.
const SCALE = 1.17;

const isNarrow = () => matchMedia("(max-width:900px)").matches;

// Makes the zoom of a board with its button. A board of small places, such as a map of a city, begins
// zoomed on a narrow screen.
export function zoomOf(board, button) {
  let isChosen = false;

  function zoom(on) {
    board.classList.toggle("zoomed", on);
    button.setAttribute("aria-pressed", String(on));
  }

  // Scrolls the board, and not the page, so that an element of the drawing is in its middle.
  function centre(element) {
    if (!element || !board.classList.contains("zoomed")) return;
    const [its, around] = [element.getBoundingClientRect(), board.getBoundingClientRect()];
    board.scrollLeft += its.left + its.width / 2 - (around.left + board.clientWidth / 2);
    board.scrollTop += its.top + its.height / 2 - (around.top + board.clientHeight / 2);
  }

  return {
    centre,
    toggle() {
      isChosen = true;
      zoom(!board.classList.contains("zoomed"));
    },
    // Shows another drawing.
    begin(drawing) {
      board.classList.toggle("fine", Boolean(drawing.isFine));
      if (drawing.isFine) board.style.setProperty("--fine", `${Math.round(drawing.element.viewBox.baseVal.width * SCALE)}px`);
      if (!isChosen) zoom(Boolean(drawing.isFine) && isNarrow());
    },
  };
}
