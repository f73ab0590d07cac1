package dev.fairlead.docs;

/** What a page shows the frames of. */
@FunctionalInterface
interface Scene {
    void play(Recorder recorder) throws Exception;
}
