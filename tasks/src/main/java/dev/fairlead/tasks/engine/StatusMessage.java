package dev.fairlead.tasks.engine;

/** What people are told of a task, kept short: it comes with each answer about it. */
final class StatusMessage {
    /** How many characters it has at most; what is longer is cut, and ends with an ellipsis. */
    static final int MOST = 1_000;

    private StatusMessage() {}

    static String cut(String text) {
        if (text.length() <= MOST) {
            return text;
        }
        int end = MOST - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1))) {
            end--; // no half of a character
        }
        return text.substring(0, end) + "…";
    }
}
