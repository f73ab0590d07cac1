package dev.fairlead.showcase;

/** The media of the fixtures, in base64. */
final class Fixtures {
    /** An image of one red pixel. */
    static final String PNG =
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR42mP4z8AAAAMBAQD3"
                    + "A0FDAAAAAElFTkSuQmCC";

    /** A millisecond of silence. */
    static final String WAV =
            "UklGRiwAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQgAAACAgICAgICAgA==";

    private Fixtures() {}
}
