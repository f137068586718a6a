package botyard;

/** A bot for any game: its views and actions are JSON, see {@link Json}. */
public abstract class AnyBot extends Bot<Object, Object> {
    @Override
    protected Object readView(Object json) {
        return json;
    }

    @Override
    protected Object readAction(Object json) {
        return json;
    }
}
