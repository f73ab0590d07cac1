package dev.fairlead.http.loop;

/** A body whose length was announced. */
final class LengthDecoder implements BodyDecoder {
    private long left;

    LengthDecoder(long length) {
        this.left = length;
    }

    @Override
    public int decode(byte[] bytes, int from, int to, Sink sink) {
        int end = (int) Math.min(to, from + left);
        if (end > from) {
            sink.take(bytes, from, end);
            left -= end - from;
        }
        return end;
    }

    @Override
    public boolean isComplete() {
        return left == 0;
    }
}
