// Package image knows the images that can be pulled: their names, tags, sizes and what their main process
// does.
//
// It promises: a name and tag that exist at their real registry among the repositories listed here can be
// pulled; everything else fails as a registry would fail it.
package image

import (
	"hash/fnv"
	"strconv"
	"strings"
	"time"
)

// A Behavior says what the main process of an image does when its command is not overridden.
type Behavior struct {
	// Exits says that the process ends by itself after Runs with Code; otherwise it runs until stopped.
	Exits bool
	Runs  time.Duration
	Code  int32
	// Stops is how long the process takes to end when asked to; negative: it ignores being asked.
	Stops time.Duration
	// Shell says that the image has a shell and the usual small tools.
	Shell bool
}

// An Image is one that can be pulled.
type Image struct {
	Reference Reference
	Size      int64 // bytes, compressed
	Behavior  Behavior
}

// ID returns the image's digest reference, as a status shows it.
func (i Image) ID() string {
	h := fnv.New128a()
	h.Write([]byte(i.Reference.String()))
	sum := h.Sum(nil)
	const hex = "0123456789abcdef"
	b := make([]byte, 0, 64)
	for range 2 {
		for _, c := range sum {
			b = append(b, hex[c>>4], hex[c&15])
		}
	}
	return i.Reference.Registry + "/" + i.Reference.Repository + "@sha256:" + string(b)
}

// A PullError is why an image cannot be pulled, in the words of a container runtime.
type PullError struct {
	Reference Reference
	// NoRepository says that the whole repository is unknown, not only the tag.
	NoRepository bool
	// Hint helps a person who has mistyped.
	Hint string
}

func (e *PullError) Error() string {
	ref := e.Reference.String()
	if e.NoRepository {
		return "rpc error: code = Unknown desc = failed to pull and unpack image " + strconv.Quote(ref) +
			": failed to resolve reference " + strconv.Quote(ref) +
			": pull access denied, repository does not exist or may require authorization: server message: insufficient_scope: authorization failed"
	}
	return "rpc error: code = NotFound desc = failed to pull and unpack image " + strconv.Quote(ref) +
		": failed to resolve reference " + strconv.Quote(ref) + ": " + ref + ": not found"
}

// A Catalogue finds images.
type Catalogue struct{ repositories map[string]repository }

// NewCatalogue returns the built-in catalogue.
func NewCatalogue() *Catalogue {
	c := &Catalogue{repositories: make(map[string]repository)}
	for _, r := range repositories() {
		c.repositories[r.name] = r
	}
	return c
}

// Find returns the image of that name. The error is a *PullError, or says that the name is no name.
func (c *Catalogue) Find(name string) (Image, error) {
	ref, err := Parse(name)
	if err != nil {
		return Image{}, err
	}
	repo, ok := c.repositories[ref.Registry+"/"+ref.Repository]
	if !ok {
		return Image{}, &PullError{Reference: ref, NoRepository: true, Hint: c.near(ref)}
	}
	if ref.Digest == "" && !repo.has(ref.Tag) {
		return Image{}, &PullError{Reference: ref, Hint: "known tags of " + ref.Repository + ": " + repo.describe()}
	}
	return Image{Reference: ref, Size: repo.size, Behavior: repo.behavior}, nil
}

// near names repositories that a mistyped one may have meant.
func (c *Catalogue) near(ref Reference) string {
	base := ref.Repository[strings.LastIndexByte(ref.Repository, '/')+1:]
	var names []string
	for _, r := range repositories() {
		short := r.name[strings.LastIndexByte(r.name, '/')+1:]
		if strings.HasPrefix(short, base[:1]) || strings.Contains(short, base) {
			names = append(names, short)
		}
	}
	if len(names) == 0 {
		return "the built-in catalogue has no image of this name"
	}
	return "similar images in the built-in catalogue: " + strings.Join(names, ", ")
}
