package dev.fairlead.jdbc;

/** Separates the rows of several servers in one database. */
final class Space {
    private Space() {}

    /**
     * @throws IllegalArgumentException if the name of a space is invalid
     */
    static void check(String name) {
        if (!name.matches("[A-Za-z0-9_.-]{1,64}")) {
            throw new IllegalArgumentException(
                    "space must be 1 to 64 characters from A-Z a-z 0-9 _ - . but was " + name);
        }
    }
}
