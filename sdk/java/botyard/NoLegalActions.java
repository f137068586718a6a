package botyard;

/** The match sends no legal actions ({@code --no-legal}), and the kit cannot generate them. */
public final class NoLegalActions extends IllegalStateException {
    private static final long serialVersionUID = 1;

    NoLegalActions(String message) {
        super(message);
    }
}
