package botyard;

/** An option that the bot did not declare, or a value that it does not allow. */
public final class OptionException extends IllegalArgumentException {
    private static final long serialVersionUID = 1;

    OptionException(String message) {
        super(message);
    }
}
