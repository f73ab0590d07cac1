package dev.fairlead.protocol.engine;

import dev.fairlead.protocol.Owner;

/** The limit of one caller beside a limit for all. */
public final class CallerLimit {
    /** The part of the limit for all that spared callers leave to others. */
    public static final int RESERVE = 4;

    private CallerLimit() {}

    /** Returns how many places an anonymous peer may have in all its sessions. */
    public static int ofPeer(int all) {
        return all - all / RESERVE;
    }

    /**
     * Returns how many places a caller may have. The limit of one caller applies to those on the
     * loopback interface only once just the reserve is left, in which each address has no more than
     * any other caller.
     *
     * @param owner the owner of the things that the caller creates
     * @param perCaller the limit of one caller
     * @param isChosen whether it was given by an option, and so holds for all
     * @param all the limit for all
     * @param taken how many places all have
     */
    public static int of(Owner owner, int perCaller, boolean isChosen, int all, int taken) {
        int spared = ofPeer(all);
        return owner.isLoopback() && !isChosen && taken < spared
                ? Math.max(perCaller, spared)
                : perCaller;
    }
}
